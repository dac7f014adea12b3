import { SHAPE_RULES } from './authoring/check-shape.ts'
import { CONTRADICTIONS } from './authoring/contradictions.ts'
import type { FindingLevel } from './finding.ts'

export interface FindingRule {
  readonly code: string
  readonly level: FindingLevel
  readonly condition: string
  /**
   * The subject of the rule: contradictions in metadata, the shape of an author's metadata, or a server's definition.
   */
  readonly about: 'metadata' | 'shape' | 'wire'
}

const WIRE_RULES: readonly Omit<FindingRule, 'about'>[] = [
  { code: 'no-name', level: 'error', condition: 'a tool without a name' },
  {
    code: 'not-json',
    level: 'error',
    condition: 'a definition that is cyclic, nested too deeply or not plain JSON',
  },
  {
    code: 'bare-hint-name',
    level: 'warning',
    condition: 'a hint without its suffix: readOnly instead of readOnlyHint',
  },
  {
    code: 'unknown-annotation',
    level: 'info',
    condition: 'an annotation that the specification does not define',
  },
  {
    code: 'dialect-conflict',
    level: 'warning',
    condition: 'annotations and _meta that declare different values for a hint',
  },
  {
    code: 'declared-contradicts-inferred',
    level: 'warning',
    condition: 'a relaxing hint on a tool whose name or description suggests the opposite',
  },
]

/** All finding codes with their default levels. The documentation, SARIF reports and the console use this list. */
export const FINDING_RULES: readonly FindingRule[] = [
  ...CONTRADICTIONS.map(({ code, level, condition }) => ({
    code,
    level,
    condition,
    about: 'metadata' as const,
  })),
  ...SHAPE_RULES.map(rule => ({ ...rule, level: 'error' as const, about: 'shape' as const })),
  ...WIRE_RULES.map(rule => ({ ...rule, about: 'wire' as const })),
]
