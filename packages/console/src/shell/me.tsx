import { createContext, type ReactNode, useContext } from 'react'
import type { Me, Role } from '../api/client.ts'
import { includesRole } from '../api/roles.ts'

const MeContext = createContext<Me | undefined>(undefined)

export const MeProvider = MeContext.Provider

export function useMe(): Me {
  const me = useContext(MeContext)
  if (me === undefined) throw new Error('useMe must be used inside MeProvider')
  return me
}

export function useMay(role: Role): boolean {
  return includesRole(useMe().role, role)
}

/** Hides its children from people whose role is too low for them. The gateway enforces roles in any case. */
export function Can({ needs, children }: { readonly needs: Role; readonly children: ReactNode }): ReactNode {
  return useMay(needs) ? children : null
}
