import { HintgateError } from '../../base/errors.ts'

/** SQLite's primary result codes, see https://www.sqlite.org/rescode.html. */
const CODES = new Map([
  [5, 'store_locked'],
  [6, 'store_locked'],
  [8, 'store_read_only'],
  [11, 'store_corrupt'],
  [26, 'store_corrupt'],
  [10, 'store_unavailable'],
  [13, 'store_unavailable'],
  [14, 'store_unavailable'],
] as const)

/** Translates a SQLite error to one of Hintgate's codes. Any other error is a bug and is returned unchanged. */
export function translateError(error: unknown, file: string): unknown {
  const { errcode, errstr } = error as { errcode?: unknown; errstr?: unknown }
  if (typeof errcode !== 'number') return error
  const code = CODES.get((errcode & 0xff) as 5)
  if (code === undefined) return error
  return new HintgateError(code, { store: `sqlite:${file}`, why: String(errstr) }, { cause: error })
}
