import { describe, expect, it } from "vitest";
import { observed } from "./observe.ts";

/** A body that counts how often it was read, and gives each chunk when it is asked. */
function counting(chunks: readonly (string | Error)[]) {
  const seen = { read: 0, cancelled: undefined as unknown };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = chunks[seen.read++];
        if (chunk === undefined) controller.close();
        else if (chunk instanceof Error) controller.error(chunk);
        else controller.enqueue(new TextEncoder().encode(chunk));
      },
      cancel: (reason) => {
        seen.cancelled = reason;
      },
    },
    { highWaterMark: 0 },
  );
  return { seen, response: new Response(body, { status: 201, headers: { "x-own": "1" } }) };
}

const watcher = () => {
  const log: string[] = [];
  return {
    log,
    observer: {
      chunk: (bytes: Uint8Array) => log.push(new TextDecoder().decode(bytes)),
      end: (ended: boolean) => log.push(ended ? "ended" : "left"),
    },
  };
};

describe("observed", () => {
  it("hands the first chunk on before the second is read, the same bytes, and reads nothing unasked", async () => {
    const { seen, response } = counting(["one", "two"]);
    const { log, observer } = watcher();
    const reader = observed(response, observer).body?.getReader();
    await Promise.resolve();
    expect(seen.read).toBe(0);
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe("one");
    expect(seen.read).toBe(1);
    expect(log).toEqual(["one"]);
    await reader?.read();
    expect((await reader?.read())?.done).toBe(true);
    expect(log).toEqual(["one", "two", "ended"]);
  });

  it("keeps status, headers and address", async () => {
    const { response } = counting(["x"]);
    Object.defineProperty(response, "url", { value: "https://api.example/v1" });
    const watched = observed(response, watcher().observer);
    expect([watched.status, watched.headers.get("x-own"), watched.url, await watched.text()]).toEqual([
      201,
      "1",
      "https://api.example/v1",
      "x",
    ]);
  });

  it("tells the source that its reader left, and why", async () => {
    const { seen, response } = counting(["one", "two"]);
    const { log, observer } = watcher();
    const reader = observed(response, observer).body?.getReader();
    await reader?.read();
    await reader?.cancel("enough");
    expect(seen.cancelled).toBe("enough");
    expect(log).toEqual(["one", "left"]);
  });

  it("lets a broken connection through as it was, and calls it no end", async () => {
    const broken = new TypeError("terminated");
    const { log, observer } = watcher();
    await expect(observed(counting(["one", broken]).response, observer).text()).rejects.toBe(broken);
    expect(log).toEqual(["one"]);
  });

  it("leaves a response without a body alone", () => {
    const response = new Response(null, { status: 204 });
    expect(observed(response, watcher().observer)).toBe(response);
  });
});
