import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../api/client.ts'
import { Card } from '../../parts/card.tsx'
import { DefinitionTexts } from '../../parts/definition-texts.tsx'
import { Findings } from '../../parts/findings.tsx'
import { Fold } from '../../parts/fold.tsx'
import { JsonView } from '../../parts/json-view.tsx'
import { Page } from '../../parts/page.tsx'
import { QueryView } from '../../parts/query-view.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { StateBadge, VariantBadge } from '../../parts/word-badges.tsx'
import { usePathParts } from '../../shell/use-path-parts.ts'
import { ConsequenceCard } from './consequence-card.tsx'
import { EvidenceTable } from './evidence-table.tsx'
import { HistoryCard } from './history-card.tsx'
import { LastCalls } from './last-calls.tsx'
import { OverrideHistory } from './override-history.tsx'
import { ToolActions } from './tool-actions.tsx'
import { ToolsetsCard } from './toolsets-card.tsx'
import './tool.css'

export function ToolPage(): ReactNode {
  const [, server = '', name = ''] = usePathParts()
  const tool = useQuery({
    queryKey: ['tools', 'one', server, name],
    queryFn: () => api.getTool({ params: { server, name } }),
  })
  return (
    <Page
      name={`${server}:${name}`}
      back={{ to: '/tools', label: 'Tools' }}
      title={<Untrusted text={tool.data?.title ?? name} max={200} />}
      about={
        <span className="row-wrap">
          <span className="mono">
            <Untrusted text={`${server}:${name}`} max={200} />
          </span>
          {tool.data !== undefined && (
            <>
              <StateBadge state={tool.data.state} />
              <VariantBadge variant={tool.data.variant} />
              {tool.data.domains.map(domain => (
                <span key={domain} className="faint">
                  {domain}
                </span>
              ))}
            </>
          )}
        </span>
      }
      actions={tool.data !== undefined && <ToolActions tool={tool.data} />}
    >
      <QueryView query={tool} rows={8}>
        {data => (
          <>
            {data.why !== undefined && (
              <p className="warning">
                <Untrusted text={data.why} />
              </p>
            )}
            <Card title="Hints" about="The value of each hint, its source, and the evidence" flush>
              <EvidenceTable tool={data} />
            </Card>
            <ConsequenceCard consequence={data.consequence} />
            <div className="tool-columns">
              <div className="stack-wide">
                <Card title="Definition">
                  <div className="stack">
                    <DefinitionTexts definition={data.definition} findings={data.scan} />
                    {data.scan.length > 0 && <Findings findings={data.scan} />}
                    {data.problems.map(({ level, text, fix }) => (
                      <p key={text} className="small">
                        <span className="strong">{level}:</span> <Untrusted text={text} max={400} />{' '}
                        {fix !== undefined && (
                          <span className="quiet">
                            <Untrusted text={fix} max={400} />
                          </span>
                        )}
                      </p>
                    ))}
                    <Fold title="Definition as the server sent it">
                      <JsonView value={data.definition} />
                    </Fold>
                    <Fold title="Definition as agents see it">
                      <JsonView value={data.effective} />
                    </Fold>
                  </div>
                </Card>
                <LastCalls calls={data.lastCalls} />
              </div>
              <div className="stack-wide">
                <HistoryCard tool={data} />
                <OverrideHistory overrides={data.overrides} />
                <ToolsetsCard sets={data.sets} />
              </div>
            </div>
          </>
        )}
      </QueryView>
    </Page>
  )
}
