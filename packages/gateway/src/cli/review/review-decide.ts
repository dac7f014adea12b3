import type { ReviewState } from '../../catalog/judge-definition.ts'
import type { Objection } from '../../catalog/review/find-definition.ts'
import { idOf } from '../../catalog/review/review-item.ts'
import { type Chosen, selectItems, sortOut } from '../../catalog/review/select-items.ts'
import type { DefinitionKind, DefinitionReview, DefinitionStore, Review } from '../../store/store.ts'
import {
  endWith,
  orThrowObjection,
  type ReviewCommandContext,
  readReviewer,
  throwObjection,
  withReviewContext,
} from '../client/review-context.ts'
import { revealName, showPrint } from '../show/review-text.ts'
import { showJson, showTable } from '../show/show-json.ts'
import type { CommonFlags } from '../terminal/context.ts'
import { confirm, type Ending, isAttended } from '../terminal/output.ts'

interface DecideFlags extends CommonFlags {
  readonly state?: readonly ReviewState[]
  readonly kind?: DefinitionKind
  readonly all?: boolean
  readonly yes?: boolean
  readonly note?: string
  readonly by?: string
}

export interface ReviewAction {
  readonly verb: 'approve' | 'reject' | 'disable' | 'enable'
  readonly done: string
  /** The states of the definitions that `SERVER:*` selects. */
  readonly usualStates: readonly ReviewState[]
}

/** Changes the chosen definitions, after every target has been checked. */
export function decide(
  action: ReviewAction,
  targets: readonly string[],
  flags: DecideFlags,
): Promise<Ending> {
  return withReviewContext(flags, async context => {
    const by = orThrowObjection(readReviewer(flags.by))
    const isAimed = targets.length > 0 || flags.all || flags.state !== undefined || flags.kind !== undefined
    if (!isAimed) throwObjection(aimless(action))
    const wanted = { targets, states: flags.state, kind: flags.kind, usualStates: action.usualStates }
    const { chosen, objections } = selectItems(context, wanted)
    const { sound, left, refused } = sortOut(chosen, action.verb === 'approve')
    if (objections.length + refused.length > 0) throwObjection(...objections, ...refused)
    await askFirst(action, sound, flags)
    return carryOut(context, action, { chosen: sound, by, left, flags })
  })
}

function aimless({ verb }: ReviewAction): Objection {
  return {
    isUsage: true,
    message: `no definitions to ${verb}`,
    fix: 'name definitions (notes:read, notes:*), or give --state, --kind or --all',
  }
}

/** Asks before several definitions are changed, unless each is named with its fingerprint. */
async function askFirst(
  { verb }: ReviewAction,
  chosen: readonly Chosen[],
  flags: DecideFlags,
): Promise<void> {
  const isClear = chosen.length < 2 || chosen.every(({ how }) => how === 'by fingerprint')
  if (isClear || flags.yes) return
  const what = `${verb} ${chosen.length} definitions`
  if (!isAttended())
    throwObjection({
      isUsage: true,
      message: `this would ${what}, and without a terminal you cannot be asked to confirm`,
      fix: 'add --yes, or name each definition with the fingerprint that you reviewed',
    })
  process.stderr.write(showTable(chosen.map(one => [one.state, ...describe(one)])))
  if (await confirm(`${what}?`)) return
  throwObjection({ isUsage: false, message: 'nothing was changed', fix: 'answer y, or add --yes' })
}

interface ReviewDecision {
  readonly chosen: readonly Chosen[]
  readonly by: string
  /** Definitions that were selected by a pattern but are unsafe to change. */
  readonly left: readonly Objection[]
  readonly flags: DecideFlags
}

async function carryOut(
  { store }: ReviewCommandContext,
  action: ReviewAction,
  decision: ReviewDecision,
): Promise<Ending> {
  const { chosen, left, flags } = decision
  const missed = new Set(await perform(store.definitions, action, decision))
  const done = chosen.filter(one => !missed.has(one))
  const failed = chosen.filter(one => missed.has(one)).map(changedMeanwhile)
  const ending = left.length + failed.length === 0 ? {} : endWith(...left, ...failed)
  return {
    ...ending,
    out: flags.json ? showJson({ [action.done]: done.map(toJson) }) : showDone(action, done),
  }
}

/** Changes definitions, and returns those that could not be changed. */
async function perform(
  definitions: DefinitionStore,
  { verb }: ReviewAction,
  { chosen, by, flags }: ReviewDecision,
): Promise<readonly Chosen[]> {
  if (verb === 'disable' || verb === 'enable') {
    const missed: Chosen[] = []
    for (const one of chosen)
      if (!(await definitions.disable(one.stored, verb === 'disable'))) missed.push(one)
    return missed
  }
  const verdict = verb === 'approve' ? 'approved' : 'rejected'
  const review: Review = { verdict, by, at: Date.now(), note: flags.note }
  const reviews = new Map(chosen.map(one => [toReview(one, review), one]))
  const refused = await definitions.reviewAll([...reviews.keys()])
  return refused.flatMap(one => reviews.get(one) ?? [])
}

function toReview({ stored, current }: Chosen, review: Review): DefinitionReview {
  const { server, kind, name } = stored
  return { server, kind, name, fingerprint: current.fingerprint, review }
}

function changedMeanwhile({ stored }: Chosen): Objection {
  const id = JSON.stringify(idOf(stored))
  return {
    isUsage: false,
    message: `${id} changed after you reviewed it, so your decision was not applied`,
    fix: `review it with hintgate tools diff ${id}`,
  }
}

function showDone({ verb, done }: ReviewAction, chosen: readonly Chosen[]): string {
  if (chosen.length === 0) return `Nothing to ${verb}.\n`
  const rows = chosen.map(one => {
    const isStillOff = verb === 'approve' && one.stored.isDisabled
    return [done, ...describe(one), isStillOff ? 'still disabled' : '']
  })
  return showTable(rows)
}

function describe({ stored, current }: Chosen): readonly string[] {
  return [stored.kind, revealName(idOf(stored)), showPrint(current.fingerprint)]
}

function toJson({ stored, current }: Chosen): object {
  const { server, kind, name } = stored
  return { server, kind, name, fingerprint: current.fingerprint }
}
