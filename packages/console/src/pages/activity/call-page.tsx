import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api, type CallDetail } from '../../api/client.ts'
import { Ago } from '../../parts/ago.tsx'
import { Arguments } from '../../parts/arguments.tsx'
import { Card } from '../../parts/card.tsx'
import { HintList } from '../../parts/hint-list.tsx'
import { Page } from '../../parts/page.tsx'
import { QueryView } from '../../parts/query-view.tsx'
import { ToolName } from '../../parts/tool-name.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { OutcomeBadge, VariantBadge, VerdictBadge } from '../../parts/word-badges.tsx'
import { pathOf } from '../../shell/paths.ts'
import { usePathParts } from '../../shell/use-path-parts.ts'
import { formatBytes, formatDuration } from '../../words/format-time.ts'
import { VerdictPath } from './verdict-path.tsx'
import './activity.css'
import '../tool/tool.css'

export function CallPage(): ReactNode {
  const [, request = ''] = usePathParts()
  const call = useQuery({
    queryKey: ['activity', 'one', request],
    queryFn: () => api.getActivity({ params: { request } }),
  })
  return (
    <Page
      name="Call"
      back={{ to: '/activity', label: 'Activity' }}
      title={call.data === undefined ? 'Call' : <Untrusted text={call.data.sentence} max={400} />}
      about={call.data !== undefined && <CallHead call={call.data} />}
    >
      <QueryView query={call} rows={8}>
        {data => (
          <div className="tool-columns">
            <div className="stack-wide">
              <VerdictPath call={data} />
              <Card title="Arguments" about="Secrets are masked">
                <Arguments value={data.arguments ?? {}} />
              </Card>
              {data.findings !== undefined && (
                <Card title="Found in the result" about="Kinds and counts, never the text">
                  <ul>
                    {data.findings.map(({ kind, rule, count, action }) => (
                      <li key={`${kind} ${rule} ${action}`}>
                        {kind}: <Untrusted text={rule} max={200} /> ({count} ×, {action})
                      </li>
                    ))}
                  </ul>
                </Card>
              )}
              {data.intent !== undefined && (
                <Card title="Intent" about="The agent's own statement about the call">
                  <Arguments value={data.intent} />
                </Card>
              )}
              {data.origin !== undefined && <CallOrigin origin={data.origin} />}
              {data.hints !== undefined && (
                <Card title="Hints when the call was made">
                  <HintList hints={data.hints} />
                </Card>
              )}
            </div>
            <CallFacts call={data} />
          </div>
        )}
      </QueryView>
    </Page>
  )
}

function CallHead({ call }: { readonly call: CallDetail }): ReactNode {
  return (
    <span className="row-wrap">
      <ToolName server={call.server} name={call.tool} />
      {call.variant !== undefined && <VariantBadge variant={call.variant} />}
      {call.verdict !== undefined && <VerdictBadge verdict={call.verdict} />}
      {call.verdict !== 'deny' && <OutcomeBadge outcome={call.outcome} code={call.code} />}
    </span>
  )
}

const WHY_ASKED = {
  target: 'The text asks for a call like this one and contains the value of',
  occasion: 'The text asks for this call.',
  kind: 'The text asks for a call of this kind.',
} as const

/** Links to the call whose result contained the text. The text itself is shown with the approval. */
function CallOrigin({ origin }: { readonly origin: NonNullable<CallDetail['origin']> }): ReactNode {
  const { kind, argument, server, tool, request } = origin
  return (
    <Card title="Requested by text in a result" about="The agent read this text before it made the call">
      <p>
        The text was in a{' '}
        <a href={`#${pathOf.call(request)}`}>
          result of <Untrusted text={`${server}:${tool}`} max={200} />
        </a>
        . {WHY_ASKED[kind]} {kind === 'target' && <Untrusted text={argument} max={100} />}
      </p>
    </Card>
  )
}

function CallFacts({ call }: { readonly call: CallDetail }): ReactNode {
  return (
    <Card title="Details">
      <dl className="facts">
        <Fact name="When">
          {new Date(call.at).toLocaleString('en-GB')} (<Ago at={call.at} />)
        </Fact>
        <Fact name="Agent">
          <Untrusted text={call.agent} max={100} />
        </Fact>
        {call.session !== undefined && (
          <Fact name="Session">
            <a href={`#${pathOf.session(call.session)}`}>
              <Untrusted text={call.session} max={100} />
            </a>
          </Fact>
        )}
        <Fact name="Duration">{formatDuration(call.durationMs)}</Fact>
        {call.attempts !== undefined && <Fact name="Attempts">{call.attempts}</Fact>}
        {call.code !== undefined && (
          <Fact name="Code">
            <code>{call.code}</code>
          </Fact>
        )}
        {call.detail !== undefined && (
          <Fact name="Detail">
            <Untrusted text={call.detail} lines max={1000} />
          </Fact>
        )}
        {call.door !== undefined && <Fact name="Endpoint">{call.door}</Fact>}
        {call.set !== undefined && <Fact name="Toolset">{call.set}</Fact>}
        <Fact name="Arguments">{formatBytes(call.argumentBytes)}</Fact>
        <Fact name="Result">{formatBytes(call.resultBytes)}</Fact>
        {call.approval !== undefined && (
          <Fact name="Approval">
            <a href={`#${pathOf.approval(call.approval)}`}>{call.approval}</a>
          </Fact>
        )}
        {call.approver !== undefined && (
          <Fact name="Approver">
            <Untrusted text={call.approver.by} max={100} /> by {call.approver.via},{' '}
            <Ago at={call.approver.at} />
          </Fact>
        )}
        <Fact name="Request">
          <code>{call.request}</code>
        </Fact>
        {call.fingerprint !== undefined && (
          <Fact name="Tool version">
            <code>{call.fingerprint.slice(0, 16)}…</code>
          </Fact>
        )}
        {call.rows.map(({ writer, seq, hash }) => (
          <Fact key={`${writer} ${seq}`} name={`Audit row ${writer}:${seq}`}>
            <code title={hash}>{hash.slice(0, 24)}…</code>
          </Fact>
        ))}
      </dl>
    </Card>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  )
}
