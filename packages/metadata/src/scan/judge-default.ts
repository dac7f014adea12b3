import { splitWords } from '../infer/split-words.ts'
import { listWords } from '../infer/word-list.ts'
import { classifyChunk } from './classify-chunk.ts'
import { findCommand } from './find-commands.ts'
import type { TextFinding } from './scan-finding.ts'
import { type ScanRule, toFinding } from './scan-rule.ts'

export const DEFAULT_RULES = {
  command: {
    id: 'command-as-default',
    severity: 'high',
    reason: 'a predefined value that is a shell command',
  },
  secretFile: {
    id: 'secret-file-as-default',
    severity: 'high',
    reason: 'a predefined value that names a file with credentials',
  },
  recipient: {
    id: 'recipient-as-default',
    severity: 'high',
    reason: 'a recipient that the server predefines',
  },
  callback: {
    id: 'callback-as-default',
    severity: 'medium',
    reason: 'a destination address that the server predefines',
  },
} as const satisfies Record<string, ScanRule>

const RECIPIENTS = new Set(listWords('to cc bcc recipient recipients forward email mail copy notify reply'))
const CALLBACKS = new Set(
  listWords(
    'webhook callback hook notify report log telemetry collector mirror forward exfil upload destination',
  ),
)

/** Finds suspicious defaults, constants and choices. Models use these values although no user wrote them. */
export function judgeDefault(value: string, property: string): readonly TextFinding[] {
  const rules: ScanRule[] = []
  const kind = classifyChunk(value.trim().toLowerCase())?.[0]
  const words = splitWords(property)
  if (findCommand(value) !== undefined) rules.push(DEFAULT_RULES.command)
  if (kind === 'secretfile') rules.push(DEFAULT_RULES.secretFile)
  if (kind === 'email' && words.some(word => RECIPIENTS.has(word))) rules.push(DEFAULT_RULES.recipient)
  if (kind === 'url' && words.some(word => CALLBACKS.has(word))) rules.push(DEFAULT_RULES.callback)
  return rules.map(rule => toFinding(rule, [0, value.length]))
}
