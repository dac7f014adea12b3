import { ATTACK_RULES, NAME_RULES } from './attack-rules.ts'
import { CONCEALMENT_RULES } from './concealment-rules.ts'
import { DATA_RULES } from './data-rules.ts'
import { DIVERSION_RULES } from './diversion-rules.ts'
import { FOREIGN_RULE } from './find-foreign-orders.ts'
import { HIDDEN_RULES, LOOK_ALIKE_RULE } from './find-hidden-characters.ts'
import { BREAKOUT_RULE } from './find-markup.ts'
import { PADDING_RULE } from './find-padding.ts'
import { PAYLOAD_RULES } from './find-payloads.ts'
import { INSTRUCTION_RULES } from './instruction-rules.ts'
import { DEFAULT_RULES } from './judge-default.ts'
import { OTHER_TOOL_RULES } from './judge-other-tools.ts'
import { PROPERTY_NAME_RULES } from './judge-property-name.ts'
import { MARKUP_RULES } from './markup-rules.ts'
import type { ScanRule } from './scan-rule.ts'
import { LENGTH_RULES } from './scan-text.ts'
import { TOOL_RULES } from './tool-rules.ts'

const ALL: readonly ScanRule[] = [
  ...INSTRUCTION_RULES,
  ...CONCEALMENT_RULES,
  ...DATA_RULES,
  ...DIVERSION_RULES,
  ...TOOL_RULES,
  ...ATTACK_RULES,
  ...NAME_RULES,
  FOREIGN_RULE,
  ...HIDDEN_RULES,
  LOOK_ALIKE_RULE,
  ...MARKUP_RULES,
  BREAKOUT_RULE,
  PADDING_RULE,
  ...Object.values(PAYLOAD_RULES),
  ...Object.values(PROPERTY_NAME_RULES),
  ...Object.values(DEFAULT_RULES),
  ...Object.values(OTHER_TOOL_RULES),
  ...Object.values(LENGTH_RULES),
]

/** All rules of the scanner with their usual severities. The documentation and the console use this list. */
export const SCAN_RULES: readonly ScanRule[] = [
  ...new Map(ALL.map(({ id, severity, reason }) => [id, { id, severity, reason }])).values(),
]
