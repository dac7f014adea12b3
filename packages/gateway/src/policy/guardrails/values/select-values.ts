import { type FieldPath, foldKey, type Step } from '../../../protocol/field-path.ts'

export interface Selected {
  readonly path: string
  readonly value: unknown
  /**
   * The object that has this value as a member. Set if the value was found by searching instead of by an exact path.
   */
  readonly within?: object
  /** The list or object that contains this value. `key` is the value's key there. Both are undefined for the root. */
  readonly holder?: object
  readonly key?: string | number
}

/**
 * Limits the work of walking through the arguments, so that no argument can make a check slow. `left` is negative if
 * the walk could not be finished.
 */
export interface Budget {
  left: number
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Returns the values that a path selects. An unexpected shape must not evade a rule. Therefore a list is searched where
 * the path expects a single value, a single value is accepted where the path expects a list, and a plain value is
 * selected where the path would continue into an object.
 */
export function selectValues(root: unknown, { steps }: FieldPath, budget: Budget): readonly Selected[] {
  let current: readonly Selected[] = [{ path: '', value: root }]
  let at = 0
  for (const step of steps) {
    at += 1
    // A `**` at the end selects everything. Nothing is done for it here, because the caller collects all leaves anyway.
    if (step.kind === 'deep' && at === steps.length) return current
    const next: Selected[] = []
    for (const selected of current) takeStep(selected, { step, budget, next })
    if (next.length === 0) return next
    current = next
  }
  return current
}

interface Traversal {
  readonly step: Step
  readonly budget: Budget
  readonly next: Selected[]
}

function takeStep(selected: Selected, traversal: Traversal): void {
  const { value } = selected
  if (--traversal.budget.left < 0 || value === null || value === undefined) return
  switch (traversal.step.kind) {
    case 'key':
      return takeKey(selected, traversal.step, traversal)
    case 'index':
      return takeIndex(selected, traversal.step.at, traversal)
    case 'items':
      if (Array.isArray(value)) return takeChildren(selected, traversal)
      traversal.next.push(selected)
      return
    case 'any':
      if (typeof value === 'object') return takeChildren(selected, traversal)
      traversal.next.push(selected)
      return
    case 'scalars':
      if (Array.isArray(value)) return takeStepInItems(selected.path, value, traversal)
      if (typeof value !== 'object') traversal.next.push(selected)
      return
    case 'deep':
      return takeDeep(selected, traversal)
  }
}

function takeKey(selected: Selected, step: Extract<Step, { kind: 'key' }>, traversal: Traversal): void {
  const { path, value } = selected
  if (Array.isArray(value)) return takeStepInItems(path, value, traversal)
  if (!isObject(value)) {
    traversal.next.push(selected)
    return
  }
  let keys = 0
  for (const key in value) {
    if (++keys > MAX_KEYS) return overdraw(traversal.budget)
    if (!step.names.has(foldKey(key))) continue
    const inner = value[key]
    if (inner !== null && inner !== undefined)
      traversal.next.push({ path: join(path, key), value: inner, holder: value, key })
  }
}

function takeStepInItems(path: string, list: readonly unknown[], traversal: Traversal): void {
  if (!fitsBudget(list, traversal.budget)) return
  for (const [at, item] of list.entries())
    takeStep({ path: `${path}[${at}]`, value: item, holder: list, key: at }, traversal)
}

/** Maximum number of members of an object. Real objects have fewer. */
const MAX_KEYS = 20_000

function overdraw(budget: Budget): void {
  budget.left = -1
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`
}

function takeIndex(selected: Selected, at: number, { next }: Traversal): void {
  const { path, value } = selected
  if (!Array.isArray(value)) next.push(selected)
  else if (at < value.length && value[at] !== null)
    next.push({ path: `${path}[${at}]`, value: value[at], holder: value, key: at })
}

function takeChildren(selected: Selected, { budget, next }: Traversal): void {
  forEachChild(selected, budget, ({ within: _, ...child }) => {
    if (child.value !== null) next.push(child)
  })
}

/** Passes every object at or below a value to the next step. It is iterative, because the nesting can be deep. */
function takeDeep(selected: Selected, { budget, next }: Traversal): void {
  const waiting: Selected[] = [selected]
  for (let one = waiting.pop(); one !== undefined && budget.left >= 0; one = waiting.pop()) {
    if (isObject(one.value)) next.push(one)
    forEachChild(one, budget, child => waiting.push(child))
  }
}

/**
 * Visits the children of a value. A list that is longer than the budget is skipped entirely, because it could not be
 * finished.
 */
export function forEachChild(
  { path, value }: Selected,
  budget: Budget,
  visit: (child: Selected) => void,
): void {
  if (Array.isArray(value)) {
    if (!fitsBudget(value, budget)) return
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

function fitsBudget(list: readonly unknown[], budget: Budget): boolean {
  const fits = list.length <= budget.left
  if (!fits) overdraw(budget)
  return fits
}
