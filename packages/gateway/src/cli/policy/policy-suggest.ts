import { dirname, relative, resolve } from 'node:path'
import { showUntrusted } from '@hintgate/metadata'
import { acceptSuggestions } from '../../audit/suggest/accept-suggestions.ts'
import type { Hijacks } from '../../audit/suggest/hijacks.ts'
import { readQuestions } from '../../audit/suggest/question.ts'
import { readHijacks, readOwnHijacks } from '../../audit/suggest/read-hijacks.ts'
import { suggestWaivers, USUAL_MINIMUM } from '../../audit/suggest/suggest-waivers.ts'
import type { NotSuggested, Suggestion, Suggestions } from '../../audit/suggest/suggestion.ts'
import { writeWaiver } from '../../audit/suggest/write-waiver.ts'
import { createFolder } from '../../base/create-folder.ts'
import { parseDuration, parseMoment } from '../../base/measures.ts'
import { writeAtomically } from '../../config/edit/edit-config.ts'
import { loadRules } from '../../config/load-rules.ts'
import { readPolicyFiles } from '../../policy/rules/read-policy-files.ts'
import { showJson } from '../show/show-json.ts'
import { allBut, type CommonFlags, type Context, invalidFlag, withStore } from '../terminal/context.ts'
import { type Ending, EXIT } from '../terminal/output.ts'

interface SuggestFlags extends CommonFlags {
  readonly since?: string
  readonly min?: number
  readonly hijacks?: string
  readonly accept?: readonly string[]
  readonly author?: string
  readonly expires?: string
  readonly reason?: string
  readonly out?: string
}

const USUAL_SINCE = '30d'
const USUAL_EXPIRY = '30d'
const USUAL_FILE = 'policies/accepted.yaml'
const LONGEST_MS = 366 * 86_400_000

export function suggest(flags: SuggestFlags): Promise<Ending> {
  const now = Date.now()
  const since = readSince(flags.since ?? USUAL_SINCE, now)
  return withStore(
    { ...flags, skip: allBut('store', 'policies', 'policyDefault', 'confirm', 'guardrails') },
    async context => {
      const hijacks = findHijacks(flags, context)
      const asked = await readQuestions(context.store, since)
      const rules = await loadRules(context)
      const found = suggestWaivers(asked, { rules, hijacks, min: flags.min ?? USUAL_MINIMUM, now })
      if (flags.accept !== undefined) return accept(found, { flags, context, now })
      const notes = [
        ...(hijacks === undefined ? [NO_HIJACKS] : []),
        ...(asked.isCut ? ['Only the newest calls were read, because the log has too many.'] : []),
      ]
      return { out: flags.json ? showJson({ ...found, notes }) : show(found, notes) }
    },
  )
}

const NO_HIJACKS =
  'No recorded attacks were replayed: there are none in the home folder (hijacks/), and --hijacks names none. The rules were tried against denied calls and made-up attacks only.'

function readSince(text: string, now: number): number {
  const age = parseDuration(text)
  const at = age === undefined ? parseMoment(text) : now - age
  if (at === undefined) throw invalidFlag('--since', 'expected an age such as 30d, or a date')
  return at
}

function findHijacks({ hijacks }: SuggestFlags, { home }: Context): Hijacks | undefined {
  return hijacks === undefined ? readOwnHijacks(home) : readHijacks(resolve(hijacks))
}

interface Accepting {
  readonly flags: SuggestFlags
  readonly context: Context
  readonly now: number
}

/** Writes the chosen suggestions as rules. Nothing is written without the name of a person who answers for them. */
function accept({ suggestions }: Suggestions, { flags, context, now }: Accepting): Ending {
  const { accept: ids = [], author, reason, out = USUAL_FILE } = flags
  if (author === undefined || author.trim() === '')
    throw invalidFlag('--author', 'name the person who has read the rules and answers for them')
  const chosen = ids.includes('all') ? suggestions : ids.map(id => choose(suggestions, id))
  if (chosen.length === 0)
    return { code: EXIT.failed, err: 'There is nothing to accept: no rule is suggested.\n' }
  const folder = context.folder
  const { config } = context
  const written = acceptSuggestions(chosen, {
    author: author.trim(),
    expires: readExpiry(flags.expires ?? USUAL_EXPIRY, now),
    reason,
    file: resolve(flags.out === undefined ? folder : process.cwd(), out),
    others: readPolicyFiles(config.policies, folder),
    fallback: config.policyDefault,
    folder,
  })
  createFolder(dirname(written.file))
  writeAtomically(written.file, written.text)
  const isLoaded = readPolicyFiles(config.policies, folder).files.some(
    ({ path }) => resolve(folder, path) === written.file,
  )
  const path = relative(process.cwd(), written.file)
  if (flags.json)
    return { out: showJson({ file: written.file, accepted: chosen.map(({ id }) => id), isLoaded }) }
  const note = isLoaded
    ? ''
    : `The config does not load this file yet: add ${JSON.stringify(path)} to "policies".\n`
  return {
    out: `Wrote ${chosen.length === 1 ? 'one rule' : `${chosen.length} rules`} to ${path}: ${chosen.map(({ id }) => id).join(', ')}\n${note}`,
  }
}

function choose(suggestions: readonly Suggestion[], id: string): Suggestion {
  const found = suggestions.find(one => one.id === id)
  if (found === undefined)
    throw invalidFlag(
      '--accept',
      `no suggestion has the id ${id}; run hintgate policy suggest without --accept to see all`,
    )
  return found
}

function readExpiry(text: string, now: number): number {
  const age = parseDuration(text)
  const at = age === undefined ? parseMoment(text) : now + age
  if (at === undefined || at <= now || at > now + LONGEST_MS)
    throw invalidFlag('--expires', 'expected a duration such as 30d or a date, at most a year from now')
  return at
}

function show(found: Suggestions, notes: readonly string[]): string {
  const { suggestions, rejected, asked, approved, removed } = found
  const share = asked === 0 ? '' : ` (${Math.round((removed / asked) * 100)} %)`
  return [
    `${asked} questions were asked, and people approved ${approved} of them. These rules would have removed ${removed}${share}:`,
    '',
    ...suggestions.flatMap(showSuggestion),
    ...(suggestions.length === 0 ? ['No rule is suggested.', ''] : []),
    ...(rejected.length === 0 ? [] : ['Not suggested:', ...rejected.map(showRejected), '']),
    ...notes,
    ...(suggestions.length === 0
      ? []
      : ['Accept one with: hintgate policy suggest --accept ID --author NAME --expires 30d']),
    '',
  ].join('\n')
}

function showSuggestion({
  id,
  text,
  draft,
  covered,
  newlyAllows,
  replay,
  sessions,
  people,
}: Suggestion): readonly string[] {
  const { hijackedRuns, deniedCalls, probes } = replay
  const runs =
    hijackedRuns === undefined ? 'no recorded attacks' : `${hijackedRuns} recorded attacks that use this tool`
  const preview = writeWaiver(draft, { author: 'NAME', expires: 0, reason: 'REASON' })
  return [
    id,
    `  ${showUntrusted(text, 600)}`,
    `  in ${sessions} sessions, approved by ${people.map(one => showUntrusted(one, 80)).join(', ')}`,
    `  it would newly allow: ${newlyAllows.map(one => showUntrusted(one, 300)).join('; ')}`,
    `  tried against ${runs}, ${deniedCalls} denied calls and ${probes} made-up attacks: none would pass`,
    ...covered
      .slice(0, SHOWN_CALLS)
      .map(
        ({ at, action }) => `  ${new Date(at).toISOString().slice(0, 16)}Z  ${showUntrusted(action, 160)}`,
      ),
    ...preview
      .trimEnd()
      .split('\n')
      .map(line => `  | ${line}`),
    '',
  ]
}

const SHOWN_CALLS = 3

function showRejected({ text, questions, why }: NotSuggested): string {
  return `  ${questions} questions, ${showUntrusted(text, 200)}: ${why}`
}
