// A search field. It asks when typing rests, so that each letter does not cost a search.
import { useEffect, useState } from 'preact/hooks'

export const Search = ({
  label,
  value,
  change,
}: {
  readonly label: string
  readonly value: string
  readonly change: (value: string) => void
}) => {
  const [typed, setTyped] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => typed !== value && change(typed), 200)
    return () => clearTimeout(timer)
  }, [typed])
  return (
    <input
      type="search"
      aria-label={label}
      placeholder={label}
      value={typed}
      onInput={(event) => setTyped(event.currentTarget.value)}
    />
  )
}
