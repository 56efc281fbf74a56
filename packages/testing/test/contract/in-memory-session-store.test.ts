import { inMemorySessionStore } from "@tidemark/core";
import { sessionStoreContract } from "../../src/contract/session-store.ts";

sessionStoreContract("inMemorySessionStore", inMemorySessionStore);
