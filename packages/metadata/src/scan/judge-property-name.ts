import { splitWords } from '../infer/split-words.ts'
import { listWords } from '../infer/word-list.ts'
import { foldText } from './fold-text.ts'
import type { TextFinding } from './scan-finding.ts'
import { type ScanRule, toFinding } from './scan-rule.ts'

export const PROPERTY_NAME_RULES = {
  carrier: {
    id: 'carrier-parameter',
    severity: 'medium',
    reason: 'a parameter that no tool needs, and that leaks the conversation',
  },
  sigil: {
    id: 'context-parameter',
    severity: 'high',
    reason: 'a parameter whose name is a placeholder for the model’s context',
  },
  vague: { id: 'vague-parameter', severity: 'low', reason: 'a parameter that can carry anything' },
  secret: { id: 'secret-parameter', severity: 'low', reason: 'a parameter that asks for a secret' },
  instructing: {
    id: 'instructing-name',
    severity: 'high',
    reason: 'a name that tells the model what to read or pass on',
  },
  sentence: { id: 'sentence-as-name', severity: 'medium', reason: 'a name that is a sentence' },
} as const satisfies Record<string, ScanRule>

const CARRIERS = new Set(
  listWords(
    'sidenote sidenotes side_note side_notes conversation_history chat_history chain_of_thought ' +
      'tool_call_history previous_messages hidden_context model_thoughts session_history full_context ' +
      'full_conversation',
  ),
)
const VAGUE = new Set(
  listWords(
    'context notes note additional_context extra_context system_prompt reasoning thoughts thought ' +
      'feedback debug_info scratchpad extra conversation message_history',
  ),
)
/** Names of data that a model has and a client might fill in. They count if they are written like a placeholder. */
const CONTEXTS = new Set(
  listWords(
    'system_prompt conversation context model_name model tool_names tools user_prompt messages prompt ' +
      'thoughts memory',
  ),
)
const SECRETS = new Set(
  listWords(
    'password passwd api_key apikey private_key ssh_key secret_key access_token auth_token credentials ' +
      'env environment_variables ssh_private_key session_cookie cookies mnemonic seed_phrase',
  ),
)
/** Words for what is read, in a name that is an instruction itself, such as `content_from_reading_ssh_id_rsa`. */
const SOURCES = new Set(
  listWords(
    'ssh rsa passwd shadow credentials dotenv env keychain cookies password passwords secrets prompt ' +
      'conversation',
  ),
)
const ACTS = new Set(
  listWords('content contents reading read dump file output result exfiltrate send include all full from'),
)

/** Returns the findings about a parameter's or property's name. */
export function judgePropertyName(name: string): readonly TextFinding[] {
  const words = splitWords(toPlain(name))
  const key = words.join('_')
  const rules: ScanRule[] = []
  if (/^[_$<{[]{1,2}\w+[_$>}\]]{1,2}$/.test(name) && (CARRIERS.has(key) || CONTEXTS.has(key)))
    rules.push(PROPERTY_NAME_RULES.sigil)
  if (CARRIERS.has(key)) rules.push(PROPERTY_NAME_RULES.carrier)
  if (VAGUE.has(key)) rules.push(PROPERTY_NAME_RULES.vague)
  if (SECRETS.has(key)) rules.push(PROPERTY_NAME_RULES.secret)
  if (isInstructing(words)) rules.push(PROPERTY_NAME_RULES.instructing)
  if (/\S\s+\S+\s+\S+\s+\S/.test(name.slice(0, 200))) rules.push(PROPERTY_NAME_RULES.sentence)
  return rules.map(rule => toFinding(rule, [0, name.length]))
}

/** Folds a name, but only if the name hides something: camelCase is needed to separate words. */
function toPlain(name: string): string {
  const { folded } = foldText(name)
  return folded === name.toLowerCase() ? name : folded
}

function isInstructing(words: readonly string[]): boolean {
  const acts = words.filter(word => ACTS.has(word)).length
  return words.length > 3 && acts > 1 && words.some(word => SOURCES.has(word))
}
