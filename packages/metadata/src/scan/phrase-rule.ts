import type { ScanRule } from './scan-rule.ts'

/** A rule that looks for combinations of word classes. `patterns` are in the language of `pattern.ts`. */
export interface PhraseRule extends ScanRule {
  readonly patterns: readonly string[]
  /**
   * The context in which a match is harmless and its severity `low`. `quoted`: it is in quotation marks and follows a
   * word such as "detects" or "for example". `defended`: it is close to such a word. `sought`: it follows such a word,
   * as in a tool's name.
   */
  readonly harmless: 'quoted' | 'defended' | 'sought'
  /** True if a negation ("never send …") makes the text a prohibition, which is not a finding. */
  readonly negatable?: true
}
