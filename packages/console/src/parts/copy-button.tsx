import { Check, Copy } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'

export function CopyButton({
  text,
  label = 'Copy',
}: {
  readonly text: string
  readonly label?: string
}): ReactNode {
  const [isCopied, setCopied] = useState(false)
  const copy = (): void => {
    void navigator.clipboard?.writeText(text).then(() => {
      setCopied(true)
      setTimeout(() => setCopied(false), 1500)
    })
  }
  return (
    <Button size="small" icon={isCopied ? Check : Copy} onPress={copy}>
      {isCopied ? 'Copied' : label}
    </Button>
  )
}
