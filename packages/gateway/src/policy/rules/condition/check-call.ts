import { type ASTNode, evaluate } from '@marcbachmann/cel-js'
import type { Complaint } from './complaint.ts'
import { normaliseDomain } from './find-host.ts'
import { readNetwork } from './is-in-network.ts'
import { findPatternFault } from './patterns.ts'
import { textOf } from './syntax-tree.ts'

const REFUSED: Readonly<Record<string, readonly [message: string, fix: string]>> = {
  matches: [
    'matches() can be made to run for ever by what it is given',
    'write re(text, "pattern"), which cannot; patterns are the same but for look-around and back-references',
  ],
  join: ['join() is not available', 'look at the elements one by one, with exists() or all()'],
  json: ['json() is not available', 'look at the arguments as they are; texts can be checked with re()'],
}

/** What is wrong with a call of a function that can be seen without running it. */
export function checkCall(node: ASTNode): readonly Complaint[] {
  if (node.op !== 'call' && node.op !== 'rcall') return []
  const [name] = node.args
  const refused = Object.hasOwn(REFUSED, name) ? REFUSED[name] : undefined
  if (refused !== undefined) return [{ offset: nameOffset(node), message: refused[0], fix: refused[1] }]
  if (node.op === 'rcall') return /^get[A-Z]/.test(name) ? checkTimeZone(node.args[1], node.args[2][0]) : []
  const [first, second] = node.args[1]
  if (second !== undefined) return checkPattern(name, second)
  return first === undefined ? [] : checkTime(name, first)
}

/** `now.getHours("Europe/Berlin")`. */
function checkTimeZone(receiver: ASTNode, node: ASTNode | undefined): readonly Complaint[] {
  if (node === undefined) return []
  const zone = textOf(node)
  const complain = (message: string, fix: string): readonly Complaint[] => [
    { offset: node.start, message, fix },
  ]
  if (zone === undefined) return complain('the time zone is not written there', 'write it in quotes')
  // Looking a zone up is slow, and only `now` remembers it.
  if (receiver.op !== 'id' || receiver.args !== 'now')
    return complain('only now knows time zones', 'leave the zone out; it is UTC then')
  return isTimeZone(zone)
    ? []
    : complain(`${JSON.stringify(zone)} is no time zone`, 'write one such as "Europe/Berlin" or "UTC"')
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
      message: `${JSON.stringify(text)} is no ${name}`,
      fix: `write one such as ${example}`,
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

/** Where the name of the function stands. */
function nameOffset(node: ASTNode): number {
  return node.op === 'rcall' ? node.input.indexOf(node.args[0], node.args[1].end) : node.start
}

function checkPattern(name: string, node: ASTNode): readonly Complaint[] {
  const text = textOf(node)
  const complain = (message: string, fix: string): readonly Complaint[] => [
    { offset: node.start, message, fix },
  ]
  if (name === 're') {
    if (text === undefined) return complain('the pattern of re() is not written there', 'write it in quotes')
    const fault = findPatternFault(text)
    return fault === undefined
      ? []
      : complain(`not a regular expression: ${fault}`, 'write it in RE2 syntax, best as r"…"')
  }
  if (name === 'cidr' && text !== undefined && readNetwork(text) === undefined)
    return complain(`${JSON.stringify(text)} is no network`, 'write one such as "10.0.0.0/8" or "fc00::/7"')
  if (name === 'domain' && text !== undefined && normaliseDomain(text) === undefined)
    return complain(`${JSON.stringify(text)} is no domain`, 'write one such as "example.com"')
  return []
}
