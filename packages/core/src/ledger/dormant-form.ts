import type { KeyOrders } from "../json/key-order.ts";
import type { ObjectValue } from "../json/value.ts";

/** What a snapshot keeps of an entry in place of its words. */
export type DormantForm = {
  /** Every unit of the given form in normal order, as its digest. */
  readonly units: readonly DormantUnit[];
  readonly nativeRole: string;
  readonly sent: DormantSent;
  /** Checksum of the one given message, where the sent form is what the wire makes of it as it stands: if it comes back to the letter, nothing needs to be matched. */
  readonly letter?: string;
};

export type DormantUnit = {
  readonly side: "assistant" | "other";
  readonly kind: string;
  readonly digest: string;
  /** Of a result: the id of its call, for normal order. */
  readonly id?: string;
  /** Reasoning itself, when it is sent: a store may have lost it. */
  readonly block?: ObjectValue;
  readonly bound?: boolean;
  /** What goes out with the unit although it is not compared. */
  readonly loose?: ObjectValue;
  /** Of a call whose arguments are a string: its key orders, or the string itself where orders alone do not give it back. */
  readonly arguments?: KeyOrders | string;
};

/**
 * How the sent form comes back. `none`: the entry is not sent. `kept`: it differs by more than representation and is here in full (media by digest).
 * `composed`: it is what the wire composes of the given units (`bare`: without their reasoning), with these key orders; `stripped`: less the reasoning that was dropped since.
 */
export type DormantSent =
  | { readonly kind: "none" }
  | { readonly kind: "kept"; readonly message: ObjectValue }
  | {
      readonly kind: "composed";
      readonly bare: boolean;
      readonly orders: KeyOrders | undefined;
      readonly digest: string | undefined;
      readonly stripped: boolean;
    };
