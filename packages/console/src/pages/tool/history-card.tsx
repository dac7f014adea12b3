import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { api, type ToolPage } from '../../api/client.ts'
import { Ago } from '../../parts/ago.tsx'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Card } from '../../parts/card.tsx'
import { Dialog } from '../../parts/dialog.tsx'
import { QueryView } from '../../parts/query-view.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { VersionDiff } from '../../parts/version-diff.tsx'

type Version = ToolPage['versions'][number]

interface Pair {
  readonly from: string
  readonly to: string
}

/** Shows all known versions of a tool, newest first, with the changes between them. */
export function HistoryCard({ tool }: { readonly tool: ToolPage }): ReactNode {
  const versions = tool.versions.toSorted((a, b) => b.firstSeenAt - a.firstSeenAt)
  const [pair, setPair] = useState<Pair>()
  return (
    <Card title="History" about={`${versions.length} version${versions.length === 1 ? '' : 's'} seen`} flush>
      <ol className="history divided">
        {versions.map((version, index) => {
          const before = versions[index + 1]
          return (
            <li key={version.fingerprint}>
              <div className="row-wrap spread">
                <span className="row">
                  <code>{version.fingerprint.slice(0, 12)}</code>
                  {version.isCurrent && <Badge tone="info">current</Badge>}
                </span>
                {before !== undefined && (
                  <Button
                    size="small"
                    onPress={() => setPair({ from: before.fingerprint, to: version.fingerprint })}
                  >
                    Diff
                  </Button>
                )}
              </div>
              <p className="quiet small">
                first seen <Ago at={version.firstSeenAt} />
                {version.changes.length > 0 && (
                  <>
                    {' · '}
                    <Untrusted text={version.changes.join(', ')} max={160} />
                  </>
                )}
              </p>
              <ReviewLine review={version.review} />
            </li>
          )
        })}
      </ol>
      {pair !== undefined && <DiffDialog tool={tool} pair={pair} onClose={() => setPair(undefined)} />}
    </Card>
  )
}

function ReviewLine({ review }: { readonly review: Version['review'] }): ReactNode {
  if (review === undefined) return <p className="faint small">not reviewed</p>
  return (
    <p className="small">
      <span className={review.verdict === 'approved' ? 'history-good' : 'history-bad'}>{review.verdict}</span>{' '}
      <span className="quiet">
        by <Untrusted text={review.by} max={80} /> <Ago at={review.at} />
        {review.note !== undefined && (
          <>
            : “<Untrusted text={review.note} max={300} />”
          </>
        )}
      </span>
    </p>
  )
}

interface DiffProps {
  readonly tool: ToolPage
  readonly pair: Pair
  readonly onClose: () => void
}

function DiffDialog({ tool: { server, name }, pair, onClose }: DiffProps): ReactNode {
  const diff = useQuery({
    queryKey: ['tools', 'diff', server, name, pair],
    queryFn: () => api.diffTool({ params: { server, name }, query: pair }),
  })
  return (
    <Dialog
      title={`${pair.from.slice(0, 12)} → ${pair.to.slice(0, 12)}`}
      isOpen
      onClose={onClose}
      shape="wide"
    >
      <QueryView query={diff}>{data => <VersionDiff diff={data} />}</QueryView>
    </Dialog>
  )
}
