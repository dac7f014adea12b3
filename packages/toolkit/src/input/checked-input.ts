import type { Issue } from './issues.ts'

type Json = Readonly<Record<string, unknown>>

export type Verdict =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] }

/** Arguments as they are described to others and as they are held against that. */
export interface CheckedInput {
  readonly jsonSchema: Json
  check(value: unknown): Verdict | Promise<Verdict>
}
