import { wireContract } from "../../src/contract.ts";
import { ollamaSubject } from "./ollama-subject.ts";

wireContract(ollamaSubject("ollama, calls with ids", true));
wireContract(ollamaSubject("ollama, calls without ids", false));
