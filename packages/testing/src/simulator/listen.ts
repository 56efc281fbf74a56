import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { TidemarkError } from "@tidemark/core";

export type Listening = {
  /** `http://127.0.0.1:40123`, without a slash at the end. */
  readonly url: string;
  close(): Promise<void>;
};

type Fetch = (input: string, init: RequestInit) => Promise<Response>;

/** Puts a fetch handler behind a server on loopback. */
export async function listenOn(fetch: Fetch): Promise<Listening> {
  const server = createServer((incoming, outgoing) => {
    relay(fetch, incoming, outgoing).catch(() => outgoing.destroy());
  });
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string")
    throw new TidemarkError("simulator-address", "The loopback server has no port. Listen again.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve, reject) => {
        server.close((error) => (error === undefined ? resolve() : reject(error)));
        server.closeAllConnections();
      }),
  };
}

/** A stream that breaks destroys the socket: the client sees a cut connection, not an end. */
async function relay(fetch: Fetch, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const leaving = new AbortController();
  outgoing.once("close", () => leaving.abort());
  const body = await bodyOf(incoming);
  const method = incoming.method ?? "POST";
  const response = await fetch(`http://127.0.0.1${incoming.url ?? "/"}`, {
    method,
    headers: headersOf(incoming),
    signal: leaving.signal,
    ...(method !== "GET" && method !== "HEAD" && { body }),
  });
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body !== null) for await (const chunk of response.body) outgoing.write(chunk);
  outgoing.end();
}

function headersOf(incoming: IncomingMessage): [string, string][] {
  return Object.entries(incoming.headers).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value] satisfies [string, string]] : [],
  );
}

async function bodyOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString("utf8");
}
