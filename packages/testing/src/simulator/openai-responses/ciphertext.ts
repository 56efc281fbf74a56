import { keyedDigest } from "../digest.ts";

/** What a reasoning item's ciphertext says of its making. */
export type Seal = {
  readonly model: string;
  readonly organisation: string;
  readonly endUser: string;
  /** Digest of everything that stood before it. */
  readonly prefix: string;
};

export interface Encrypter {
  /** The same thought over the same prefix gets another ciphertext each time, as the provider does it. */
  seal(text: string, seal: Seal): string;
  /** Undefined: it was not made here, or was changed since. */
  open(ciphertext: string): Seal | undefined;
}

const digestLength = 43;
/** How the provider's ciphertexts begin. */
const start = "gAAAAAB";

/** Ciphertexts depend on the secret and the order of making alone, so that a run can be repeated and another simulator can share the secret. */
export function encrypter(secret: string): Encrypter {
  let serial = 0;
  return {
    seal: (text, { model, organisation, endUser, prefix }) => {
      const payload = JSON.stringify([serial++, model, organisation, endUser, prefix, text]);
      return start + Buffer.from(keyedDigest(secret, payload) + payload).toString("base64url");
    },
    open: (ciphertext) => {
      if (!ciphertext.startsWith(start)) return undefined;
      const text = Buffer.from(ciphertext.slice(start.length), "base64url").toString("utf8");
      const payload = text.slice(digestLength);
      // Base64 is read leniently; only the spelling that was handed out is genuine.
      if (Buffer.from(text).toString("base64url") !== ciphertext.slice(start.length)) return undefined;
      if (text.slice(0, digestLength) !== keyedDigest(secret, payload)) return undefined;
      const [, model, organisation, endUser, prefix] = JSON.parse(payload) as [number, string, string, string, string];
      return { model, organisation, endUser, prefix };
    },
  };
}
