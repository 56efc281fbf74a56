import { wireContract } from "../../src/contract.ts";
import { bedrockSubject } from "./bedrock-subject.ts";

wireContract(bedrockSubject("bedrock, Claude", "us.anthropic.claude-opus-5-5", true));
wireContract(bedrockSubject("bedrock, a model that does not sign", "us.amazon.nova-pro-v1:0", false));
