import type { Desk } from '../catalog/review/review-item.ts'
import { readSets } from '../sets/read-sets.ts'
import type { DoctorFinding } from './finding.ts'

type Known = Pick<Desk, 'config' | 'known' | 'items'> & Partial<Pick<Desk, 'overrides' | 'servers'>>

/** Reports tools that a toolset holds back, and overrides of sets that need a look. */
export function checkToolsets({ overrides, servers, ...context }: Known): readonly DoctorFinding[] {
  if (overrides === undefined || context.config.toolsets.length === 0) return []
  const desk = { ...context, overrides, servers: servers ?? new Set<string>() }
  return readSets(desk).flatMap(set =>
    set.problems.map(({ tools, state, why }): DoctorFinding => {
      const named = tools.join(', ')
      const isHeld = state === 'held'
      return {
        code: isHeld ? 'toolset_held' : 'toolset_flagged',
        level: isHeld ? 'warning' : 'info',
        text: `toolset ${set.name}: ${named} ${isHeld ? 'is not offered' : 'needs a look'}: ${why}`,
        fix: `look with hintgate sets show ${set.name}, then correct toolsets.${set.name} in the config`,
      }
    }),
  )
}
