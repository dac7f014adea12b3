import { useQuery } from '@tanstack/react-query'
import { Link2, Link2Off } from 'lucide-react'
import type { ReactNode } from 'react'
import { api, type Chain } from '../../api/client.ts'
import { useAction } from '../../api/use-action.ts'
import { Ago } from '../../parts/ago.tsx'
import { Button } from '../../parts/button.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { Can } from '../../shell/me.tsx'
import { formatCount } from '../../words/format-count.ts'

/** Shows whether the hash chain is intact, and when it was last verified. */
export function ChainStatus(): ReactNode {
  const chain = useQuery({
    queryKey: ['chain'],
    queryFn: () => api.getChain(),
    refetchInterval: ({ state }) => (state.data?.isRunning === true ? 1000 : false),
  })
  const verify = useAction({ do: () => api.verifyChain(), changes: ['chain'] })
  if (chain.data === undefined) return null
  const { problemCount, problems, isRunning } = chain.data
  const Icon = problemCount > 0 ? Link2Off : Link2
  return (
    <div className={problemCount > 0 ? 'chain chain-broken' : 'chain'}>
      <Icon size={16} aria-hidden="true" />
      <div className="grow">
        <p>
          <ChainSummary chain={chain.data} />
        </p>
        {problems.slice(0, 5).map(({ kind, writer, seq, text }) => (
          <p key={`${kind} ${writer} ${seq}`} className="small">
            <Untrusted text={text} max={300} />
          </p>
        ))}
      </div>
      <Can needs="operator">
        <Button
          size="small"
          isDisabled={isRunning || verify.isPending}
          onPress={() => verify.mutate(undefined)}
        >
          {isRunning || verify.isPending ? 'Verifying…' : 'Verify now'}
        </Button>
      </Can>
    </div>
  )
}

function ChainSummary({ chain }: { readonly chain: Chain }): ReactNode {
  const { verifiedAt, rows, problemCount } = chain
  if (verifiedAt === undefined) return 'The hash chain has not been verified since the gateway started.'
  if (problemCount > 0)
    return (
      <>
        <b>The audit log was tampered with:</b> {formatCount(problemCount, 'problem')} in{' '}
        {formatCount(rows, 'row')}, found <Ago at={verifiedAt} />
      </>
    )
  return (
    <>
      The hash chain is intact: {formatCount(rows, 'row')} verified <Ago at={verifiedAt} />
    </>
  )
}
