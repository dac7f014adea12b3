import { HintgateError } from '../../base/errors.ts'
import { isJsonObject, type Json } from '../../protocol/messages.ts'
import { parseJson } from '../../protocol/parse-json.ts'

const MAX_DEPTH = 200

/** Arguments of a call: a JSON object on the command line or, for `-`, on standard input; and `--arg key=value`. */
export async function readArguments(
  text: string | undefined,
  pairs: readonly string[],
  stdin: AsyncIterable<Uint8Array>,
): Promise<Json> {
  const object = text === undefined ? {} : parseObject(text === '-' ? await readAll(stdin) : text)
  return { ...object, ...Object.fromEntries(pairs.map(parsePair)) }
}

function parseObject(text: string): Json {
  const parsed = parseJson(text, MAX_DEPTH)
  if (!parsed.ok) throw invalid('ARGS', `${parsed.reason}; ${EXPECTED}`)
  if (!isJsonObject(parsed.value)) throw invalid('ARGS', EXPECTED)
  return parsed.value
}

const EXPECTED = 'expected a JSON object such as {"path": "a.txt"}'

/** `limit=3` is a number, `path=a.txt` a text; a text that looks like JSON takes quotes: `id="3"`. */
function parsePair(pair: string): [string, unknown] {
  const at = pair.indexOf('=')
  if (at < 1) throw invalid('--arg', `expected key=value, not ${JSON.stringify(pair.slice(0, 80))}`)
  const value = pair.slice(at + 1)
  const parsed = parseJson(value, MAX_DEPTH)
  return [pair.slice(0, at), parsed.ok ? parsed.value : value]
}

async function readAll(stdin: AsyncIterable<Uint8Array>): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stdin) chunks.push(chunk)
  return Buffer.concat(chunks).toString('utf8')
}

function invalid(flag: string, why: string): HintgateError {
  return new HintgateError('flag_invalid', { flag, why })
}
