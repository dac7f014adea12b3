import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { api } from '../../api/client.ts'
import { Badge } from '../../parts/badge.tsx'
import { Card } from '../../parts/card.tsx'
import { Untrusted } from '../../parts/untrusted.tsx'

const TONES = { error: 'bad', warning: 'warn', info: 'info' } as const

/** Shows problems in the config and with the servers, each with a fix. */
export function ProblemsCard(): ReactNode {
  const doctor = useQuery({ queryKey: ['doctor'], queryFn: () => api.doctor(), staleTime: 60_000 })
  const config = useQuery({ queryKey: ['doctor', 'config'], queryFn: () => api.configProblems() })
  const problems = config.data?.problems ?? []
  const findings = doctor.data?.findings.filter(({ level }) => level !== 'info') ?? []
  if (problems.length + findings.length === 0) return null
  return (
    <Card title="Problems" flush>
      <ul className="troubles divided">
        {problems.map(({ path, line, message, fix }) => (
          <li key={`${path} ${line} ${message}`}>
            <Badge tone="bad">config</Badge>
            <div className="grow">
              <p>
                <Untrusted text={message} max={400} /> <span className="faint">line {line}</span>
              </p>
              <p className="quiet small">
                <Untrusted text={fix} max={400} />
              </p>
            </div>
          </li>
        ))}
        {findings.map(({ code, level, text, fix, server }) => (
          <li key={`${code} ${server} ${text}`}>
            <Badge tone={TONES[level]}>{level}</Badge>
            <div className="grow">
              <p>
                <Untrusted text={text} max={400} />
              </p>
              <p className="quiet small">
                <Untrusted text={fix} max={400} />
              </p>
            </div>
          </li>
        ))}
      </ul>
    </Card>
  )
}
