/** What a matcher is called with: requests, and options that there are. @throws {TypeError} that says what to write instead. */
export function checkCall(matcher: string, requests: readonly unknown[], options: object): void {
  for (const request of requests) {
    const problem = problemOf(request);
    if (problem !== undefined) throw new TypeError(`${matcher} takes requests as they were sent. ${problem}`);
  }
  for (const [name, value] of Object.entries(options)) {
    if (name !== "strength" && name !== "wire") throw new TypeError(`${matcher} has no option ${name}. There are strength and wire.`);
    if (name === "strength" && value !== undefined && value !== "bytes" && value !== "provider")
      throw new TypeError(`The strength of ${matcher} is "bytes" or "provider".`);
  }
}

function problemOf(request: unknown): string | undefined {
  if (typeof request === "string") return "This is a text: hand over JSON.parse(text).";
  if (typeof request !== "object" || request === null)
    return `This is ${request === null ? "null" : `of type ${typeof request}`}: was no request made?`;
  if (Array.isArray(request)) return "This is a list: a request is an object, and toKeepPrefix takes a list of them.";
  const { body, messages, input, contents } = request as Readonly<Record<string, unknown>>;
  if (body === undefined || messages !== undefined || input !== undefined || contents !== undefined) return undefined;
  return "This holds its request as body: hand over requests.map(({ body }) => body).";
}
