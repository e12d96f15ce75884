// Asking the server. The token stands behind the # of the address it printed, and never in a request's address.
import { signal } from '@preact/signals'

const KEPT = 'bardo-token'

/** What the server says of this page: it answers, it is away, or it wants another token. */
export const line = signal<'quiet' | 'open' | 'cut' | 'refused'>('quiet')

let token = ''

/** Takes the token out of the address, so that nobody reads it over a shoulder or finds it in the history. */
export function takeToken(): void {
  const said = location.hash.slice(1)
  if (/^[0-9a-f]{64}$/.test(said)) {
    sessionStorage.setItem(KEPT, said)
    history.replaceState(null, '', '/#/')
  }
  token = sessionStorage.getItem(KEPT) ?? ''
  if (token === '') line.value = 'refused'
}

export class Refusal extends Error {
  readonly status: number
  constructor(status: number, words: string) {
    super(words)
    this.status = status
  }
}

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  let answer: Response
  try {
    answer = await fetch(path, { ...init, headers: { ...init.headers, authorization: `Bearer ${token}` } })
  } catch (error) {
    if (init.signal?.aborted !== true) line.value = 'cut'
    throw new Refusal(0, error instanceof Error && error.name === 'AbortError' ? 'left' : 'The server does not answer. Is bardo web still running?')
  }
  if (answer.status === 401) {
    line.value = 'refused'
    throw new Refusal(401, 'This page has no token, or an old one. Open the address that bardo web printed.')
  }
  return answer
}

export async function get<T>(path: string): Promise<T> {
  return told<T>(await ask(`/api/${path}`))
}

export async function post<T>(path: string, body: unknown): Promise<T> {
  const init = { method: 'POST', body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }
  return told<T>(await ask(`/api/${path}`, init))
}

async function told<T>(answer: Response): Promise<T> {
  if (line.value !== 'refused') line.value = 'open'
  if (answer.ok) return (await answer.json()) as T
  const text = await answer.text()
  let words = text
  try {
    words = (JSON.parse(text) as { error?: string }).error ?? text
  } catch {
    // Words as they are.
  }
  throw new Refusal(answer.status, words)
}

/** One event of a stream. */
export interface Heard {
  event: string
  data: string
}

/** Reads a stream until it is told to stop; comes back after every cut with the last id it heard. */
export async function listen(path: string, stop: AbortSignal, hear: (heard: Heard) => void): Promise<void> {
  let last = ''
  let wait = 1000
  while (!stop.aborted) {
    try {
      const headers: Record<string, string> = last === '' ? {} : { 'last-event-id': last }
      const answer = await ask(path, { headers, signal: stop })
      if (!answer.ok || answer.body === null) throw new Refusal(answer.status, 'no stream')
      line.value = 'open'
      const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
      let kept = ''
      for (;;) {
        const { value, done } = await reader.read()
        if (done) break
        kept += value
        let end: number
        while ((end = kept.indexOf('\n\n')) >= 0) {
          const block = kept.slice(0, end)
          kept = kept.slice(end + 2)
          const heard: Heard = { event: 'message', data: '' }
          for (const row of block.split('\n')) {
            const colon = row.indexOf(':')
            if (colon <= 0) continue
            const value = row.slice(colon + 1).replace(/^ /, '')
            const field = row.slice(0, colon)
            if (field === 'id') last = value
            else if (field === 'event') heard.event = value
            else if (field === 'data') heard.data += value
            else if (field === 'retry') wait = Number(value) || wait
          }
          if (heard.data !== '') hear(heard)
        }
      }
    } catch (error) {
      if (stop.aborted) return
      if (error instanceof Refusal && error.status === 401) return
    }
    if (stop.aborted) return
    line.value = 'cut'
    await new Promise((resolve) => setTimeout(resolve, wait))
  }
}
