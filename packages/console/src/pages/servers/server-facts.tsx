import type { ReactNode } from 'react'
import type { Server } from '../../api/client.ts'
import { Badge } from '../../parts/badge.tsx'
import { Card } from '../../parts/card.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'
import { CoverageBar } from './coverage-bar.tsx'

export function ServerFacts({ server }: { readonly server: Server }): ReactNode {
  const { transport, era, protocolVersion, info, command, url, trust, breaker, queue, coverage } = server
  const reported = [info?.name, info?.version].filter(part => part !== undefined).join(' ')
  return (
    <Card title="Details">
      <dl className="facts">
        <dt>Tools</dt>
        <dd>
          <a href={`#/tools?server=${encodeURIComponent(server.name)}`}>{server.tools} available</a>
          {server.held > 0 && (
            <>
              , <a href="#/review">{server.held} waiting for review</a>
            </>
          )}
        </dd>
        <dt>Hints</dt>
        <dd>
          <CoverageBar coverage={coverage} />
          <span className="small quiet">
            {coverage.declared} declared, {coverage.inferred} inferred, {coverage.assumed} assumed,{' '}
            {coverage.overridden} overridden
          </span>
        </dd>
        <dt>Trust</dt>
        <dd>{trust}</dd>
        <dt>Transport</dt>
        <dd>
          {transport}
          {era !== undefined && `, ${era} protocol`}
          {protocolVersion !== undefined && ` (${protocolVersion})`}
        </dd>
        {reported !== '' && (
          <>
            <dt>Reported as</dt>
            <dd>
              <Untrusted text={reported} max={120} />
            </dd>
          </>
        )}
        <dt>{url === undefined ? 'Command' : 'URL'}</dt>
        <dd className="mono">
          <Untrusted text={url ?? command ?? '–'} max={400} />
        </dd>
        <dt>Current calls</dt>
        <dd>
          {queue.running} running, {queue.waiting} waiting
        </dd>
        <dt>Circuit breaker</dt>
        <dd>
          {breaker.isOpen ? <Badge tone="bad">open</Badge> : 'closed'}
          {breaker.reason !== undefined && (
            <>
              {' '}
              <Untrusted text={breaker.reason} max={200} />
            </>
          )}
        </dd>
      </dl>
    </Card>
  )
}
