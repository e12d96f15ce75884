// Where the page stands: its address, its colours, and what it has heard.
import { signal } from '@preact/signals'
import { useEffect, useState } from 'preact/hooks'
import { get, listen, Refusal } from './api'

/** The parts of the address behind the #. */
export const route = signal<string[]>([])

function read(): string[] {
  return location.hash.replace(/^#\/?/, '').split('/').filter((part) => part !== '').map(decodeURIComponent)
}

export function begin(): void {
  route.value = read()
  addEventListener('hashchange', () => {
    route.value = read()
    scrollTo(0, 0)
  })
}

export const to = (...parts: (string | number)[]): string => `#/${parts.map((part) => encodeURIComponent(String(part))).join('/')}`

/** What the reader chose; nothing where his system decides. */
export const theme = signal<'dark' | 'light' | ''>((localStorage.getItem('bardo-theme') ?? '') as 'dark' | 'light' | '')
/** Grows whenever the colours change, so that what is drawn on a canvas is drawn again. */
export const painted = signal(0)

export function wear(chosen: 'dark' | 'light' | ''): void {
  theme.value = chosen
  if (chosen === '') {
    delete document.documentElement.dataset['theme']
    localStorage.removeItem('bardo-theme')
  } else {
    document.documentElement.dataset['theme'] = chosen
    localStorage.setItem('bardo-theme', chosen)
  }
  painted.value++
}
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => painted.value++)

/** Grows with what is new; what is shown asks again. */
export const heard = signal(0)
export interface News {
  golem: string
  tick: number
  life: string
  phase: string
  vitality_ppm: number
}
export const news = signal<News | null>(null)

const LEAST_BETWEEN = 1500
let timer: ReturnType<typeof setTimeout> | undefined

/** A life at speed brings many ticks a second; the page asks again at most this often. */
function stir(): void {
  timer ??= setTimeout(() => {
    timer = undefined
    heard.value++
  }, LEAST_BETWEEN)
}

/** Follows a Golem, or all of them, for as long as it is shown. */
export function useStream(golem: string | null): void {
  useEffect(() => {
    const stop = new AbortController()
    news.value = null
    let is_first = true
    void listen(golem === null ? '/api/stream' : `/api/stream?golem=${encodeURIComponent(golem)}`, stop.signal, (one) => {
      if (one.event === 'tick' && golem !== null) news.value = JSON.parse(one.data) as News
      if (one.event === 'afresh') heard.value++
      else if (!is_first) stir()
      is_first = false
    })
    return () => stop.abort()
  }, [golem])
}

export interface Asked<T> {
  told: T | null
  wrong: Refusal | null
  isBusy: boolean
}

/** Asks when it is first shown, when its question changes, and whenever something was heard. */
export function useAsked<T>(path: string | null, isLive = true): Asked<T> & { again: () => void } {
  const [asked, set] = useState<Asked<T> & { path: string | null }>({ told: null, wrong: null, isBusy: true, path })
  const [turn, again] = useState(0)
  const when = isLive ? heard.value : 0
  useEffect(() => {
    if (path === null) return
    let isLeft = false
    set((before) => ({ ...before, told: before.path === path ? before.told : null, isBusy: true, path }))
    get<T>(path).then(
      (told) => isLeft || set({ told, wrong: null, isBusy: false, path }),
      (error: unknown) => {
        if (isLeft) return
        const wrong = error instanceof Refusal ? error : new Refusal(0, String(error))
        set((before) => ({ told: before.path === path ? before.told : null, wrong, isBusy: false, path }))
      },
    )
    return () => {
      isLeft = true
    }
  }, [path, when, turn])
  const isOther = asked.path !== path
  return { told: isOther ? null : asked.told, wrong: isOther ? null : asked.wrong, isBusy: asked.isBusy, again: () => again(turn + 1) }
}
