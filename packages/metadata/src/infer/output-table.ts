import { listWords } from './word-list.ts'

/** Evidence from the fields of a result, in log-odds. It is weak, because many writes return what they wrote. */
export interface OutputRule {
  readonly id: string
  readonly names: readonly string[]
  readonly readOnly: number
}

export const OUTPUT_RULES: readonly OutputRule[] = [
  {
    id: 'output.listing',
    names: listWords(
      'items results records rows entries matches total total_count next_cursor next_page has_more',
    ),
    readOnly: 0.5,
  },
  {
    id: 'output.effect',
    names: listWords(
      'deleted created updated removed sent modified affected rows_affected affected_rows deleted_count',
    ),
    readOnly: -0.8,
  },
]
