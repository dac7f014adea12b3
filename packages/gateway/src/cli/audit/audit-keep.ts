import { readFile } from 'node:fs/promises'
import { pruneRows } from '../../audit/prune-rows.ts'
import { Sealer } from '../../audit/sealer.ts'
import { type Head, type Verification, verifyChains } from '../../audit/verify-chains.ts'
import { attempt } from '../../base/attempt.ts'
import { isJsonObject } from '../../protocol/messages.ts'
import { loadSecretKey } from '../../tokens/secret-key.ts'
import { showJson } from '../show/show-json.ts'
import { type CommonFlags, invalidFlag, withDecisions } from '../terminal/context.ts'
import { createProgress, type Ending, EXIT, paint } from '../terminal/output.ts'
import { readMoment } from './audit-read.ts'

interface VerifyFlags extends CommonFlags {
  readonly heads?: string
  readonly otherKeys?: boolean
}

export function verify({ json, heads, otherKeys, ...flags }: VerifyFlags): Promise<Ending> {
  return withDecisions(flags, async ({ store, home }) => {
    const expected = heads === undefined ? [] : await readHeads(heads)
    const progress = createProgress('rows')
    const found = await verifyChains(store.audit, new Sealer(loadSecretKey(home)), {
      expected,
      acceptsOtherKeys: otherKeys ?? false,
      onProgress: rows => progress.update(rows),
    })
    progress.done()
    const isIntact = found.problemCount === 0
    const out = json ? showJson({ isIntact, ...found }) : showFound(found)
    return { code: isIntact ? EXIT.done : EXIT.failed, out }
  })
}

function showFound({ rows, writers, sealed, problems, problemCount }: Verification): string {
  const count = (number: number, what: string) =>
    `${number.toLocaleString('en')} ${what}${number === 1 ? '' : 's'}`
  const read = `${count(rows, 'row')} in ${count(writers, 'chain')}${sealed > 0 ? `, ${count(sealed, 'pruned row')} behind seals` : ''}`
  if (problems.length === 0) return `${paint('green', 'intact')}  ${read}\n`
  const lines = problems.map(
    ({ kind, writer, seq, text }) =>
      `${paint('red', kind)}  chain ${writer}${seq === undefined ? '' : ` row ${seq}`}: ${text}`,
  )
  const more = problemCount > lines.length ? [`… and ${problemCount - lines.length} more`] : []
  return `${[`${paint('red', 'not intact')}  ${read}`, ...lines, ...more].join('\n')}\n`
}

async function readHeads(file: string): Promise<readonly Head[]> {
  const complain = (why: string) => invalidFlag('--heads', why)
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw complain(`${file} cannot be read (${error.code})`)
  })
  const heads = findHeads(text)
  if (heads === undefined)
    throw complain(`${file} does not contain the output of hintgate audit verify --json`)
  return heads
}

function findHeads(text: string): readonly Head[] | undefined {
  const parsed: unknown = attempt(() => JSON.parse(text) as unknown)
  const heads = isJsonObject(parsed) ? parsed.heads : undefined
  return Array.isArray(heads) && heads.every(isHead) ? heads : undefined
}

function isHead(value: unknown): value is Head {
  if (!isJsonObject(value)) return false
  return typeof value.writer === 'string' && typeof value.seq === 'number' && typeof value.hash === 'string'
}

export function prune(flags: CommonFlags & { readonly before: string }): Promise<Ending> {
  return withDecisions(flags, async ({ store, home }) => {
    const moment = readMoment('--before', flags.before, Date.now())
    const { rows, broken } = await pruneRows(store.audit, new Sealer(loadSecretKey(home)), moment)
    const before = new Date(moment).toISOString()
    const text = `Deleted ${rows.toLocaleString('en')} audit rows of calls before ${before}. Seals were stored in their place, so the rest of the log can still be verified.\n`
    const left = broken.map(
      ({ writer, seq }) =>
        `hintgate: chain ${writer} is broken at row ${seq} and was not changed; check it with hintgate audit verify\n`,
    )
    return {
      code: broken.length === 0 ? EXIT.done : EXIT.failed,
      out: flags.json ? showJson({ rows, before, broken }) : text,
      err: left.join(''),
    }
  })
}
