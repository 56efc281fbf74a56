/** Version of the rules that decide bytes (rule 52). A change of such a rule is a new version. Until 1.0 a log of another version is refused. */
export const policyVersion = "1";
