import { type FieldPath, foldKey, type Step } from '../../../protocol/field-path.ts'

export interface Selected {
  readonly path: string
  readonly value: unknown
  /** The object that it is a member of, where no path led to it. */
  readonly within?: object
  /** The list or object that it stands in, and as what; absent for the arguments themselves. */
  readonly holder?: object
  readonly key?: string | number
}

/** Spent while walking, so that no argument can make a check long. Below none: there is more than was walked to. */
export interface Budget {
  left: number
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * The values that a path leads to. A list is looked through where the path expects one thing, one thing is
 * taken where it expects a list, and a plain text where the path goes on into an object is taken itself:
 * another shape than expected must not slip past.
 */
export function selectValues(root: unknown, { steps }: FieldPath, budget: Budget): readonly Selected[] {
  let current: readonly Selected[] = [{ path: '', value: root }]
  let at = 0
  for (const step of steps) {
    at += 1
    // What is left to do at any depth is done where the leaves are gathered.
    if (step.kind === 'deep' && at === steps.length) return current
    const next: Selected[] = []
    for (const selected of current) takeStep(selected, { step, budget, next })
    if (next.length === 0) return next
    current = next
  }
  return current
}

interface Walk {
  readonly step: Step
  readonly budget: Budget
  readonly next: Selected[]
}

function takeStep(selected: Selected, walk: Walk): void {
  const { value } = selected
  if (--walk.budget.left < 0 || value === null || value === undefined) return
  switch (walk.step.kind) {
    case 'key':
      return takeKey(selected, walk.step, walk)
    case 'index':
      return takeIndex(selected, walk.step.at, walk)
    case 'items':
      if (Array.isArray(value)) return takeChildren(selected, walk)
      walk.next.push(selected)
      return
    case 'any':
      if (typeof value === 'object') return takeChildren(selected, walk)
      walk.next.push(selected)
      return
    case 'scalars':
      if (Array.isArray(value)) return takeStepInItems(selected.path, value, walk)
      if (typeof value !== 'object') walk.next.push(selected)
      return
    case 'deep':
      return takeDeep(selected, walk)
  }
}

function takeKey(selected: Selected, step: Extract<Step, { kind: 'key' }>, walk: Walk): void {
  const { path, value } = selected
  if (Array.isArray(value)) return takeStepInItems(path, value, walk)
  if (!isObject(value)) {
    walk.next.push(selected)
    return
  }
  let keys = 0
  for (const key in value) {
    if (++keys > MOST_KEYS) return overdraw(walk.budget)
    if (!step.names.has(foldKey(key))) continue
    const inner = value[key]
    if (inner !== null && inner !== undefined)
      walk.next.push({ path: join(path, key), value: inner, holder: value, key })
  }
}

function takeStepInItems(path: string, list: readonly unknown[], walk: Walk): void {
  if (!hasRoom(list, walk.budget)) return
  for (const [at, item] of list.entries())
    takeStep({ path: `${path}[${at}]`, value: item, holder: list, key: at }, walk)
}

/** Nobody's object has more members. */
const MOST_KEYS = 20_000

function overdraw(budget: Budget): void {
  budget.left = -1
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

function takeIndex(selected: Selected, at: number, { next }: Walk): void {
  const { path, value } = selected
  if (!Array.isArray(value)) next.push(selected)
  else if (at < value.length && value[at] !== null)
    next.push({ path: `${path}[${at}]`, value: value[at], holder: value, key: at })
}

function takeChildren(selected: Selected, { budget, next }: Walk): void {
  forEachChild(selected, budget, ({ within: _, ...child }) => {
    if (child.value !== null) next.push(child)
  })
}

/** Every object at or below a value, for the next step to look into. On a list of its own: nesting may be deep. */
function takeDeep(selected: Selected, { budget, next }: Walk): void {
  const waiting: Selected[] = [selected]
  for (let one = waiting.pop(); one !== undefined && budget.left >= 0; one = waiting.pop()) {
    if (isObject(one.value)) next.push(one)
    forEachChild(one, budget, child => waiting.push(child))
  }
}

/** What is longer than the budget is not begun: it would be walked, and its paths written, for nothing. */
export function forEachChild(
  { path, value }: Selected,
  budget: Budget,
  visit: (child: Selected) => void,
): void {
  if (Array.isArray(value)) {
    if (!hasRoom(value, budget)) return
    budget.left -= value.length
    for (const [at, item] of value.entries())
      visit({ path: `${path}[${at}]`, value: item, holder: value, key: at })
  } else if (isObject(value)) {
    for (const key in value) {
      if (--budget.left < 0) return
      visit({ path: join(path, key), value: value[key], within: value, holder: value, key })
    }
  }
}

function hasRoom(list: readonly unknown[], budget: Budget): boolean {
  const isRoom = list.length <= budget.left
  if (!isRoom) overdraw(budget)
  return isRoom
}
