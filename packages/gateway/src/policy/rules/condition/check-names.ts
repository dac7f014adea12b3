import { type ASTNode, evaluate } from '@marcbachmann/cel-js'
import { type Attribute, GROUPS, type Group, isGroup, VARIABLES } from './attributes.ts'
import { type Complaint, suggest } from './complaint.ts'
import { findPatternFault, normaliseDomain, readNetwork } from './functions.ts'
import { accessedName, bindingOf, partsOf, textOf } from './syntax-tree.ts'

/**
 * Finds names and values that do not exist. The type checker would accept `has(tool.titel)` and `tool.variant ==
 * "reed"`, but such rules would never match.
 */
export function checkNames(root: ASTNode): readonly Complaint[] {
  const complaints: Complaint[] = []
  const complain = (node: ASTNode, message: string, fix: string): void => {
    complaints.push({ offset: node.pos, message, fix })
  }

  const named = new Map<ASTNode, Attribute>()

  /** Returns the attribute or group that a node of the syntax tree names, if it names one. */
  function resolve(node: ASTNode, bound: ReadonlySet<string>): Attribute | Group | undefined {
    if (node.op === 'id') return bound.has(node.args) ? undefined : GROUP_BY_NAME.get(node.args)
    if (node.op === '.' || node.op === '.?' || node.op === '[]' || node.op === '[?]') {
      const found = resolve(node.args[0], bound)
      if (node.op === '[]' || node.op === '[?]') visit(node.args[1], bound)
      return found !== undefined && isGroup(found) ? lookUp(found, node) : undefined
    }
    complaints.push(...checkCall(node))
    const binding = bindingOf(node)
    if (binding === undefined) for (const part of partsOf(node)) visit(part, bound)
    else {
      if (VARIABLES.includes(binding.name))
        complain(binding.at, `\`${binding.name}\` is already a variable`, 'choose another name')
      for (const part of binding.outer) visit(part, bound)
      for (const part of binding.inner) visit(part, new Set([...bound, binding.name]))
    }
    if (node.op === '==' || node.op === '!=' || node.op === 'in') compare(node.args)
    return undefined
  }

  function visit(node: ASTNode, bound: ReadonlySet<string>): void {
    const found = resolve(node, bound)
    if (found === undefined) return
    if (!isGroup(found)) named.set(node, found)
    else {
      const keys = Object.keys(found.fields).join(', ')
      complain(node, `\`${sourceOf(node)}\` is a group of attributes`, `name one of its attributes: ${keys}`)
    }
  }

  function lookUp(group: Group, node: ASTNode): Attribute | Group | undefined {
    const name = accessedName(node)
    const whole = sourceOf(partsOf(node)[0] ?? node)
    const keys = Object.keys(group.fields)
    const found = name !== undefined && keys.includes(name) ? group.fields[name] : undefined
    if (found !== undefined) return found
    if (name === undefined)
      complain(node, `the attribute of \`${whole}\` is not a constant`, `use one of ${keys.join(', ')}`)
    else complain(node, `\`${whole}\` has no \`${name}\``, suggest(name, keys))
    return undefined
  }

  /** Reports a comparison with a value that the attribute never has. */
  function compare([left, right]: readonly [ASTNode, ASTNode]): void {
    for (const [one, other] of [
      [left, right],
      [right, left],
    ] as const) {
      const values = named.get(one)?.values
      for (const text of other.op === 'list' ? other.args : [other]) {
        const value = textOf(text)
        if (values !== undefined && value !== undefined && !values.includes(value))
          complain(text, `\`${sourceOf(one)}\` is never ${JSON.stringify(value)}`, suggest(value, values))
      }
    }
  }

  visit(root, new Set())
  return complaints
}

const GROUP_BY_NAME = new Map<string, Group>(Object.entries(GROUPS))

function sourceOf({ input, start, end }: ASTNode): string {
  return input.slice(start, end)
}

const REFUSED: Readonly<Record<string, readonly [message: string, fix: string]>> = {
  matches: [
    'matches() can run forever on crafted input',
    'use re(text, "pattern"), which runs in linear time; the pattern syntax is the same, but look-around and back-references are not supported',
  ],
  join: ['join() is not available', 'check the elements one by one with exists() or all()'],
  json: ['json() is not available', 'use the arguments directly; check text with re()'],
}

/** Finds problems in a function call that can be seen without evaluating it. */
function checkCall(node: ASTNode): readonly Complaint[] {
  if (node.op !== 'call' && node.op !== 'rcall') return []
  const [name] = node.args
  const refused = Object.hasOwn(REFUSED, name) ? REFUSED[name] : undefined
  if (refused !== undefined) return [{ offset: nameOffset(node), message: refused[0], fix: refused[1] }]
  if (node.op === 'rcall') return /^get[A-Z]/.test(name) ? checkTimeZone(node.args[1], node.args[2][0]) : []
  const [first, second] = node.args[1]
  if (second !== undefined) return checkPattern(name, second)
  return first === undefined ? [] : checkTime(name, first)
}

/** Checks the time zone in a call such as `now.getHours("Europe/Berlin")`. */
function checkTimeZone(receiver: ASTNode, node: ASTNode | undefined): readonly Complaint[] {
  if (node === undefined) return []
  const zone = textOf(node)
  const complain = (message: string, fix: string): readonly Complaint[] => [
    { offset: node.start, message, fix },
  ]
  if (zone === undefined) return complain('the time zone is not a constant', 'write it in quotes')
  // Only `now` supports time zones, because resolving one is slow and only `now` caches the result.
  if (receiver.op !== 'id' || receiver.args !== 'now')
    return complain('only `now` supports time zones', 'remove the time zone; the time is then in UTC')
  return isTimeZone(zone)
    ? []
    : complain(`${JSON.stringify(zone)} is not a time zone`, 'use a name such as "Europe/Berlin" or "UTC"')
}

function isTimeZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}

const TIMES: Readonly<Record<string, string>> = {
  timestamp: '"2026-01-05T12:00:00Z"',
  duration: '"90m" or "1h30m"',
}

function checkTime(name: string, node: ASTNode): readonly Complaint[] {
  const text = textOf(node)
  const example = Object.hasOwn(TIMES, name) ? TIMES[name] : undefined
  if (text === undefined || example === undefined || canRead(`${name}(${JSON.stringify(text)})`)) return []
  return [
    {
      offset: node.start,
      message: `${JSON.stringify(text)} is not a ${name}`,
      fix: `write a ${name} such as ${example}`,
    },
  ]
}

function canRead(expression: string): boolean {
  try {
    evaluate(expression)
    return true
  } catch {
    return false
  }
}

function nameOffset(node: ASTNode): number {
  return node.op === 'rcall' ? node.input.indexOf(node.args[0], node.args[1].end) : node.start
}

function checkPattern(name: string, node: ASTNode): readonly Complaint[] {
  const text = textOf(node)
  const complain = (message: string, fix: string): readonly Complaint[] => [
    { offset: node.start, message, fix },
  ]
  if (name === 're') {
    if (text === undefined) return complain('the pattern of re() is not a constant', 'write it in quotes')
    const fault = findPatternFault(text)
    return fault === undefined
      ? []
      : complain(`not a regular expression: ${fault}`, 'use RE2 syntax, preferably as r"…"')
  }
  if (name === 'cidr' && text !== undefined && readNetwork(text) === undefined)
    return complain(
      `${JSON.stringify(text)} is not a network`,
      'write a network such as "10.0.0.0/8" or "fc00::/7"',
    )
  if (name === 'domain' && text !== undefined && normaliseDomain(text) === undefined)
    return complain(`${JSON.stringify(text)} is not a domain`, 'write a domain such as "example.com"')
  return []
}
