import type { Issue } from './issues.ts'

type Json = Readonly<Record<string, unknown>>

export type Verdict =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] }

/** The JSON Schema of the arguments, and the function that checks them. */
export interface CheckedInput {
  readonly jsonSchema: Json
  check(value: unknown): Verdict | Promise<Verdict>
}
