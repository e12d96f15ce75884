// Numbers, times and foreign words as a person reads them. Amounts come as integers of the smallest unit.

const whole = new Intl.NumberFormat('en-US')
const cents = new Intl.NumberFormat('en-US', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

export const count = (value: number | null | undefined): string => (value == null ? '–' : whole.format(value))

/** Micro-USDC. Less than a cent is told whole. */
export function usdc(micros: number | null | undefined): string {
  if (micros == null) return '–'
  const size = Math.abs(micros)
  if (size > 0 && size < 10_000) return (micros / 1e6).toFixed(6)
  return cents.format(micros / 1e6)
}

export function gain(micros: number | null | undefined): string {
  if (micros == null) return '–'
  return `${micros < 0 ? '−' : '+'}${usdc(Math.abs(micros))}`
}

/** Whether a gain is one: the class it is painted with. */
export const leaning = (value: number | null | undefined): string => (value == null || value === 0 ? '' : value > 0 ? 'up' : 'down')

export const percent = (ppm: number | null | undefined, digits = 0): string => (ppm == null ? '–' : `${(ppm / 10_000).toFixed(digits)}%`)

export function number(value: number | null | undefined, digits = 3): string {
  if (value == null) return '–'
  const size = Math.abs(value)
  if (size !== 0 && (size >= 1e6 || size < 10 ** -digits)) return value.toExponential(2)
  return value.toLocaleString('en-US', { maximumFractionDigits: size >= 100 ? 1 : digits })
}

const ETHER = 10n ** 18n
/** Wei, which outgrow what a number holds and come as text. */
export function ether(wei: string | number | null | undefined): string {
  if (wei == null) return '–'
  const amount = BigInt(wei)
  if (amount > 0n && amount < 10n ** 12n) return `${whole.format(Number(amount))} wei`
  const micro = (amount * 1_000_000n) / ETHER
  return `${(Number(micro) / 1e6).toLocaleString('en-US', { maximumFractionDigits: 6 })} ETH`
}

export function token(units: string | null | undefined, decimals: number | null | undefined): string {
  if (units == null || decimals == null) return '–'
  const negative = units.startsWith('-')
  const digits = (negative ? units.slice(1) : units).padStart(decimals + 1, '0')
  const at = digits.length - decimals
  const value = Number(`${digits.slice(0, at)}.${digits.slice(at) || '0'}`)
  return `${negative ? '−' : ''}${value.toLocaleString('en-US', { maximumFractionDigits: 6 })}`
}

const TICK_SECONDS = 40
export function span(ticks: number | null | undefined): string {
  if (ticks == null) return 'as long as nothing burns'
  return lapse(ticks * TICK_SECONDS)
}

export function lapse(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} hours`
  return `${count(Math.round(seconds / 86_400))} days`
}

/** A time as the server writes it, or seconds since 1970, without what nobody needs. */
export function moment(time: string | number | null | undefined): string {
  if (time == null) return '–'
  const iso = typeof time === 'number' ? new Date(time * 1000).toISOString() : time
  return iso.replace('T', ' ').replace(/(:\d\d)(\.\d+)?Z$/, '$1')
}
export const day = (time: string): string => time.slice(0, 10)

export const short = (hex: string): string => (hex.length > 14 ? `${hex.slice(0, 8)}…${hex.slice(-4)}` : hex)

/** Words of strangers: what would turn a line around or hide in it is written out. */
export function harmless(text: string): string {
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]/g, (sign) => `\\u{${sign.charCodeAt(0).toString(16)}}`)
}

export const plain = (word: string): string => word.replace(/_/g, ' ')
