export { loadSkill, loadSkills } from "./load-skill.ts";
export { parseSkill, SkillFileError } from "./parse-skill.ts";
