/** A native request whose every part a test may change. */
export type Request = { model: string; messages: object[] } & { [name: string]: unknown };

export function claudeRequest(): Request {
  return {
    model: "claude-opus-5-5",
    max_tokens: 100,
    system: [{ type: "text", text: "You sort stamps." }],
    tools: [{ name: "look", description: "Look.", input_schema: { type: "object", properties: {} } }],
    metadata: { user_id: "u" },
    thinking: { type: "adaptive" },
    messages: [
      { role: "user", content: "Sort." },
      { role: "assistant", content: [{ type: "tool_use", id: "call_1", name: "look", input: { at: { page: 1 } } }] },
      {
        role: "user",
        content: [
          { type: "tool_result", tool_use_id: "call_1", content: [{ type: "text", text: "Red." }] },
          { type: "text", text: "Go on." },
        ],
      },
    ],
  };
}

export function claudeReply(): object {
  return {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-opus-5-5",
    content: [
      { type: "thinking", thinking: "Red first.", signature: "c2ln" },
      { type: "tool_use", id: "call_1", name: "look", input: { at: { page: 1 } } },
    ],
    stop_reason: "tool_use",
    usage: { input_tokens: 1, cache_read_input_tokens: 0, cache_creation: { ephemeral_5m_input_tokens: 1 }, output_tokens: 2 },
    input_transformations: [{ type: "thinking_dropped", path: "messages.0.content.0", reason: "prefix_binding_mismatch" }],
  };
}

export function chatRequest(): Request {
  return {
    model: "gpt-4.1",
    tools: [{ type: "function", function: { name: "look", description: "Look.", parameters: { type: "object", properties: {} } } }],
    metadata: { user: "u" },
    reasoning_effort: "low",
    messages: [
      { role: "system", content: "You sort stamps." },
      { role: "user", content: "Sort." },
      { role: "assistant", content: null, tool_calls: [{ id: "call_1", type: "function", function: { name: "look", arguments: "{}" } }] },
      { role: "tool", tool_call_id: "call_1", content: "Red." },
      { role: "user", content: [{ type: "text", text: "Go on." }] },
    ],
  };
}

export function chatReply(): object {
  const call = { id: "call_1", type: "function", function: { name: "look", arguments: "{}" } };
  return {
    id: "chatcmpl-1",
    object: "chat.completion",
    choices: [{ index: 0, message: { role: "assistant", content: "I look.", tool_calls: [call] }, finish_reason: "tool_calls" }],
    usage: { prompt_tokens: 1, completion_tokens: 2, total_tokens: 3, prompt_tokens_details: { cached_tokens: 0 } },
  };
}

export function geminiRequest(): Request {
  return {
    model: "gemini-3.8-flash",
    systemInstruction: { role: "user", parts: [{ text: "You sort stamps." }] },
    tools: [{ functionDeclarations: [{ name: "look", description: "Look.", parameters: { type: "OBJECT", properties: {} } }] }],
    labels: { user: "u" },
    generationConfig: { thinkingConfig: { thinkingLevel: "low" } },
    contents: [
      { role: "user", parts: [{ text: "Sort." }] },
      { role: "model", parts: [{ functionCall: { id: "call_1", name: "look", args: { at: { page: 1 } } }, thoughtSignature: "c2ln" }] },
      { role: "user", parts: [{ functionResponse: { id: "call_1", name: "look", response: { output: "Red." } } }, { text: "Go on." }] },
    ],
  } as unknown as Request;
}

export function geminiReply(): object {
  const parts = [
    { thought: true, text: "Red first." },
    { functionCall: { id: "call_1", name: "look", args: { at: { page: 1 } } }, thoughtSignature: "c2ln" },
  ];
  return {
    candidates: [{ content: { role: "model", parts }, finishReason: "STOP", index: 0 }],
    usageMetadata: { promptTokenCount: 1, cachedContentTokenCount: 0, candidatesTokenCount: 2, totalTokenCount: 3 },
    responseId: "r",
  };
}

export function interactionRequest(): Request {
  return {
    model: "gemini-3.8-flash",
    system_instruction: "You sort stamps.",
    tools: [{ type: "function", name: "look", parameters: { type: "object", properties: {} } }],
    labels: { user: "u" },
    generation_config: { thinking_level: "low" },
    store: false,
    input: [
      { type: "user_input", content: [{ type: "text", text: "Sort." }] },
      { type: "thought", signature: "c2ln" },
      { type: "function_call", id: "call_1", name: "look", arguments: { at: { page: 1 } } },
      { type: "function_result", call_id: "call_1", name: "look", result: [{ type: "text", text: "Red." }] },
      { type: "user_input", content: "Go on." },
    ],
  } as unknown as Request;
}

export function interactionReply(): object {
  return {
    id: "v1",
    status: "requires_action",
    steps: [
      { type: "thought", signature: "c2ln", summary: [{ type: "text", text: "Red first." }] },
      { type: "model_output", content: [{ type: "text", text: "I look." }] },
      { type: "function_call", id: "call_1", name: "look", arguments: { at: { page: 1 } } },
    ],
    usage: { total_input_tokens: 1, total_cached_tokens: 0, total_output_tokens: 2, total_tokens: 3 },
  };
}
