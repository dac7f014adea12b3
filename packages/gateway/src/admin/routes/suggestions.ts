import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { acceptedText } from '../../audit/suggest/accept-suggestions.ts'
import { readQuestions } from '../../audit/suggest/question.ts'
import { readOwnHijacks } from '../../audit/suggest/read-hijacks.ts'
import { suggestWaivers, USUAL_MINIMUM } from '../../audit/suggest/suggest-waivers.ts'
import type { Suggestion, Suggestions } from '../../audit/suggest/suggestion.ts'
import { writeWaiver } from '../../audit/suggest/write-waiver.ts'
import { attempt } from '../../base/attempt.ts'
import { parseDuration } from '../../base/measures.ts'
import { readRegularFile } from '../../base/read-regular-file.ts'
import { PolicyFiles } from '../config/policy-files.ts'
import type { Output } from '../contract/contract.ts'
import type { AdminDeps } from '../http/admin-deps.ts'
import type { Handlers } from '../http/handler.ts'
import { AdminProblem, orMissing } from '../http/problem.ts'
import { readMoment } from '../http/read-input.ts'

const DAY_MS = 86_400_000
const USUAL_DAYS = 30
const MOST_DAYS = 366

type Found = Suggestions & { readonly isCut: boolean; readonly hasHijacks: boolean }

export function createSuggestionHandlers(
  deps: AdminDeps,
): Pick<Handlers, 'listSuggestions' | 'acceptSuggestion'> {
  const files = new PolicyFiles(deps)
  const finding = new Map<number, Promise<Found>>()
  // The log can have a hundred thousand calls, so people who look at the same days at the same time share one search.
  const find = (since: number, now: number): Promise<Found> => {
    const day = Math.floor(since / DAY_MS) * DAY_MS
    const running =
      finding.get(day) ?? findSuggestions(deps, { since, now }).finally(() => finding.delete(day))
    finding.set(day, running)
    return running
  }
  return {
    async listSuggestions({ query: { since } }) {
      const now = Date.now()
      const found = await find(readMoment(since, now, 'query.since') ?? now - USUAL_DAYS * DAY_MS, now)
      return describe(found)
    },
    async acceptSuggestion({ params: { id }, body }, { principal }) {
      const now = Date.now()
      const expires = now + readExpiry(body.expiresIn)
      const from = readMoment(body.since, now, 'body.since') ?? now - USUAL_DAYS * DAY_MS
      const { suggestions } = await findSuggestions(deps, { since: from, now })
      const chosen = orMissing(
        suggestions.find(one => one.id === id),
        `There is no suggestion ${id}. What was recorded may have changed; look at the suggestions again.`,
      )
      const path = files.placeFor('accepted.yaml')
      const before = attempt(() => readRegularFile(resolve(deps.place.folder, path)).toString())
      const acceptance = { author: principal.id, expires, reason: body.reason }
      await files.save(path, acceptedText(before, [chosen], acceptance))
      return { path, id, expires }
    },
  }
}

function readExpiry(text = `${USUAL_DAYS}d`): number {
  const ms = parseDuration(text)
  if (ms === undefined || ms <= 0 || ms > MOST_DAYS * DAY_MS)
    throw new AdminProblem(
      'invalid_request',
      'body.expiresIn: expected a duration such as 30d, at most 366d.',
    )
  return ms
}

async function findSuggestions(
  deps: AdminDeps,
  { since, now }: { readonly since: number; readonly now: number },
): Promise<Found> {
  const hijacks = readOwnHijacks(deps.place.home ?? join(homedir(), '.hintgate'))
  const asked = await readQuestions(deps.store, since)
  const found = suggestWaivers(asked, { rules: deps.rules(), hijacks, min: USUAL_MINIMUM, now })
  return { ...found, isCut: asked.isCut, hasHijacks: hijacks !== undefined }
}

function describe({ suggestions, rejected, ...figures }: Found): Output<'listSuggestions'> {
  return {
    ...figures,
    suggestions: suggestions.map(describeSuggestion),
    rejected: rejected.map(one => ({ ...one })),
  }
}

function describeSuggestion({ draft, people, covered, newlyAllows, replay, ...rest }: Suggestion) {
  const { waives, agents, servers, tool } = draft
  return {
    ...rest,
    waives: [...waives],
    agents,
    servers,
    tool,
    people: [...people],
    covered: covered.map(one => ({ ...one })),
    newlyAllows: [...newlyAllows],
    replay: { ...replay },
    rule: writeWaiver(draft, { author: 'NAME', expires: 0, reason: rest.text }),
  }
}
