import { type CallKind, kindOfVariant } from '@hintgate/metadata'
import type { ConfirmRules } from '../../policy/rules.ts'
import { mayCall, mayUseTool } from '../../scope/match-scope.ts'
import type { Scope } from '../../scope/scope.ts'
import type { Output } from '../contract/contract.ts'
import type { ToolRow } from './tool-table.ts'

type Reach = Omit<Output<'getReach'>, 'name' | 'permissions'>

/** What somebody with this scope could do, by the variant that they would have to use. */
export function reachOf(scope: Scope, rows: readonly ToolRow[], confirm: ConfirmRules): Reach {
  const inScope = rows.filter(({ item }) => mayUseTool(scope, item.stored.server, item.stored.name))
  const approved = inScope.filter(({ state }) => state === 'approved')
  const callable = approved.filter(({ assessment }) => mayCall(scope, assessment.variant))
  const ofKind = (kind: CallKind): Reach['read'] =>
    callable
      .filter(({ assessment }) => kindOfVariant(assessment.variant) === kind)
      .map(({ id, assessment }) => ({ id, title: assessment.title, asks: asks(kind, scope, confirm) }))
  return {
    read: ofKind('read'),
    write: ofKind('write'),
    destructive: ofKind('destructive'),
    outOfReach: approved.length - callable.length,
    held: inScope.length - approved.length,
  }
}

function asks(kind: CallKind, scope: Scope, confirm: ConfirmRules): boolean {
  return (scope.confirm?.[kind] ?? confirm[kind]) === 'always'
}
