import type { ScanRule } from './scan-rule.ts'

/**
 * A combination of word classes with a meaning. `patterns` are in the language of
 * `pattern.ts`.
 */
export interface PhraseRule extends ScanRule {
  readonly patterns: readonly string[]
  /**
   * When the same words are harmless, and the finding only `low`. `quoted`: in quotation marks, after words
   * such as "detects" or "for example". `defended`: close to such words. `sought`: after them, as in a tool's
   * name.
   */
  readonly harmless: 'quoted' | 'defended' | 'sought'
  /** A prohibition ("never send …") means the opposite, and is not a finding. */
  readonly negatable?: true
}
