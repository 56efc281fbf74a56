import { Readable } from "node:stream";
import type { ReadableStream } from "node:stream/web";
import { BedrockRuntimeClient } from "@aws-sdk/client-bedrock-runtime";
import type { Simulator } from "../src/simulator/simulator.ts";

type SdkRequest = { readonly method: string; readonly path: string; readonly headers: Record<string, string>; readonly body?: unknown };

/** The official client with a simulator in place of the network. Its own handler speaks HTTP/2. `keyed`: it authenticates with an API key, and signs nothing. */
export function bedrockClient({ fetch }: Pick<Simulator, "fetch">, keyed = false): BedrockRuntimeClient {
  const handle = async ({ method, path, headers, body }: SdkRequest) => {
    const { host: _host, "content-length": _length, ...sent } = headers;
    const response = await fetch(`https://bedrock-runtime.us-east-1.amazonaws.com${path}`, {
      method,
      headers: sent,
      body: body as NonNullable<RequestInit["body"]>,
    });
    const stream = response.body === null ? Readable.from([]) : Readable.fromWeb(response.body as ReadableStream);
    return { response: { statusCode: response.status, headers: Object.fromEntries(response.headers), body: stream } };
  };
  return new BedrockRuntimeClient({
    region: "us-east-1",
    ...(keyed
      ? { token: { token: "none" }, authSchemePreference: ["httpBearerAuth"] }
      : { credentials: { accessKeyId: "none", secretAccessKey: "none" } }),
    maxAttempts: 1,
    requestHandler: { handle } as never,
  });
}
