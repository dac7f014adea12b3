import { DOMAIN_RULES } from './domain-words.ts'
import { OBJECT_RULES, QUESTION_RULE } from './object-table.ts'
import { OUTPUT_RULES } from './output-table.ts'
import { PARAMETER_RULES } from './parameter-table.ts'
import { PHRASE_RULES } from './phrases.ts'
import { VERB_RULES } from './verb-table.ts'

/** All inference rules, in one place for the documentation and for explanations. */
export const INFERENCE_RULES = {
  verbs: VERB_RULES,
  objects: [...OBJECT_RULES, QUESTION_RULE],
  phrases: PHRASE_RULES,
  parameters: PARAMETER_RULES,
  outputs: OUTPUT_RULES,
  domains: DOMAIN_RULES,
} as const
