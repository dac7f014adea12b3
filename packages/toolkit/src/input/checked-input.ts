import type { Issue } from './issues.ts'

type Json = Readonly<Record<string, unknown>>

export type Verdict =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] }

/** The JSON Schema that describes arguments, and the check that uses it. */
export interface CheckedInput {
  readonly jsonSchema: Json
  check(value: unknown): Verdict | Promise<Verdict>
}
