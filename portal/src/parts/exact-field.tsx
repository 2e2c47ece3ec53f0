import { useId } from 'react'

interface ExactFieldProps {
  name: string
  label: string
  placeholder: string
  value?: string | undefined
  /** Id of the text that says what is wrong with the form. */
  problem: string
  isWrong?: boolean
  isWide?: boolean
}

/** A line of which every character counts, such as an address: neither completed nor corrected. */
export function ExactField({ name, label, placeholder, value, problem, isWrong, isWide }: ExactFieldProps) {
  const id = useId()
  return (
    <div className={isWide ? 'field grow' : 'field'}>
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        name={name}
        className="mono"
        defaultValue={value}
        placeholder={placeholder}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        aria-invalid={isWrong}
        aria-describedby={problem}
      />
    </div>
  )
}
