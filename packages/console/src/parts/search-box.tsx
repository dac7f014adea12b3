import { Search, X } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import { Input } from 'react-aria-components/Input'
import { SearchField } from 'react-aria-components/SearchField'
import './fields.css'

interface Props {
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
  readonly placeholder?: string
}

export function SearchBox({ label, value, onChange, placeholder = label }: Props): ReactNode {
  return (
    <SearchField className="search-field" aria-label={label} value={value} onChange={onChange}>
      <Search size={16} aria-hidden="true" />
      <Input className="input" placeholder={placeholder} spellCheck={false} />
      <Button className="search-clear" aria-label="Clear">
        <X size={14} aria-hidden="true" />
      </Button>
    </SearchField>
  )
}
