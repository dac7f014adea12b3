import { AdminError } from '@hintgate/gateway/admin'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { api } from '../api/client.ts'
import { live } from '../api/live.ts'
import { refresh } from '../api/queries.ts'
import { Failure } from '../parts/state.tsx'
import { Frame } from './frame.tsx'
import { MeProvider } from './me.tsx'
import { NoticeRegion } from './notice-region.tsx'
import { SignIn } from './sign-in.tsx'
import { takeCode } from './take-code.ts'

/**
 * The one-time code in a sign-in link. It is read outside of effects, because it works only once and React runs effects
 * twice in development.
 */
const code = takeCode(location, history)

type Exchange = 'running' | 'done' | 'refused'

export function App(): ReactNode {
  const [exchange, setExchange] = useState<Exchange>(code === undefined ? 'done' : 'running')
  const me = useQuery({
    queryKey: ['me'],
    queryFn: () => api.me(),
    enabled: exchange !== 'running',
    staleTime: Number.POSITIVE_INFINITY,
  })

  useEffect(() => {
    if (code === undefined) return
    void exchangeCode(code).then(setExchange)
  }, [])

  const isSignedIn = me.data !== undefined && !isRefusal(me.error)
  useEffect(() => (isSignedIn ? live.open() : undefined), [isSignedIn])

  if (exchange === 'running' || me.isPending) return null
  if (isRefusal(me.error))
    return <SignIn wasRefused={exchange === 'refused'} onSignedIn={() => refresh('me')} />
  if (me.data === undefined) return <Failure error={me.error} onRetry={() => me.refetch()} />
  return (
    <MeProvider value={me.data}>
      <Frame />
      <NoticeRegion />
    </MeProvider>
  )
}

function isRefusal(error: unknown): boolean {
  return error instanceof AdminError && (error.status === 401 || error.status === 403)
}

let exchanging: Promise<Exchange> | undefined

function exchangeCode(given: string): Promise<Exchange> {
  exchanging ??= api.signIn({ body: { code: given } }).then(
    () => 'done',
    () => 'refused',
  )
  return exchanging
}
