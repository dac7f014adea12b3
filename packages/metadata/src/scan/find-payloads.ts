import { showUntrusted } from '../derive/untrusted-text.ts'
import { type Encoded, findEncoded } from './decode-text.ts'
import { findCommand } from './find-commands.ts'
import { readTags } from './find-hidden-characters.ts'
import { findPhrases } from './find-phrases.ts'
import { foldText } from './fold-text.ts'
import type { TextFinding } from './scan-finding.ts'
import { type ScanRule, toFinding } from './scan-rule.ts'

export const PAYLOAD_RULES = {
  payload: {
    id: 'encoded-payload',
    severity: 'high',
    reason: 'an encoding that hides a command or an instruction',
  },
  text: { id: 'encoded-text', severity: 'low', reason: 'encoded text' },
  command: {
    id: 'command-in-text',
    severity: 'medium',
    reason: 'a shell command that fetches, runs or destroys',
  },
} as const satisfies Record<string, ScanRule>

const MAX_DECODED = 4000
const SHOWN = 60
const MIN_TAGS = 4

/** Finds encoded text, and commands in plain text. */
export function findPayloads(text: string): readonly TextFinding[] {
  const command = findCommand(text)
  const open = command === undefined ? [] : [toFinding(PAYLOAD_RULES.command, command)]
  return [...open, ...[...findEncoded(text), ...findTagged(text)].map(judge)]
}

function findTagged(text: string): readonly Encoded[] {
  const decoded = readTags(text)
  const start = text.search(/[\u{E0020}-\u{E007E}]/u)
  return decoded.length < MIN_TAGS ? [] : [{ start, end: text.length, decoded, encoding: 'tag characters' }]
}

/**
 * Judges an encoded text. It counts as an attack if it contains something that the rules look for; otherwise, the
 * severity is low.
 */
function judge({ start, end, decoded, encoding }: Encoded): TextFinding {
  const inner = decoded.slice(0, MAX_DECODED)
  const isPayload =
    findCommand(inner) !== undefined ||
    findPhrases(foldText(inner)).some(({ severity }) => severity !== 'low')
  const rule = isPayload ? PAYLOAD_RULES.payload : PAYLOAD_RULES.text
  const finding = toFinding(rule, [start, end])
  return {
    ...finding,
    reason: `${rule.reason}; decoded from ${encoding}, the text is "${showUntrusted(inner, SHOWN)}"`,
  }
}
