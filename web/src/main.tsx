import { render, type JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import 'uplot/dist/uPlot.min.css'
import './style.css'
import { line, takeToken } from './api'
import { begin, news, route, theme, to, useStream, wear } from './state'
import { Words } from './ui'
import { Acts } from './pages/acts'
import { Claims, Playbook } from './pages/book'
import { Block, Explorer, Transaction } from './pages/chain'
import { Raise } from './pages/undertaking'
import { Fleet } from './pages/fleet'
import { Life, WhyAt } from './pages/life'
import { Dreams, Grimoire, Mind } from './pages/mind'
import { Clade, Costs, Line, Market } from './pages/world'
import { look } from './wallet'

const TABS: [string, string, (golem: string) => JSX.Element][] = [
  ['life', 'Life', (golem) => <Life golem={golem} />],
  ['market', 'Market', (golem) => <Market golem={golem} />],
  ['rules', 'Rules', (golem) => <Playbook golem={golem} />],
  ['claims', 'Claims', (golem) => <Claims golem={golem} />],
  ['grimoire', 'Grimoire', (golem) => <Grimoire golem={golem} />],
  ['dreams', 'Dreams', (golem) => <Dreams golem={golem} />],
  ['mind', 'Mind', (golem) => <Mind golem={golem} />],
  ['clade', 'Clade', (golem) => <Clade golem={golem} />],
  ['line', 'Line', (golem) => <Line golem={golem} />],
  ['costs', 'Costs', (golem) => <Costs golem={golem} />],
  ['chain', 'Chain', (golem) => <Explorer golem={golem} />],
  ['owner', 'Owner', (golem) => <Acts golem={golem} />],
]

function Golem({ golem, rest }: { golem: string; rest: string[] }): JSX.Element {
  useStream(golem)
  const [page = 'life', kind, which] = rest
  // On a phone the tabs are wider than the screen.
  useEffect(() => {
    document.querySelector('.tabs [aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [page])
  const shown = page === 'why' ? <WhyAt key={kind} golem={golem} tick={kind} />
    : page === 'chain' && kind === 'block' && which !== undefined ? <Block key={which} golem={golem} number={which} />
      : page === 'chain' && kind === 'tx' && which !== undefined ? <Transaction key={which} golem={golem} hash={which} />
        : (TABS.find(([name]) => name === page) ?? TABS[0])?.[2](golem)
  return (
    <>
      <nav class="tabs" aria-label={`pages of ${golem}`}>
        <ul>{TABS.map(([name, label]) => <li key={name}><a href={to('golem', golem, name)} {...(name === page || (name === 'life' && page === 'why') ? { 'aria-current': 'page' as const } : {})}>{label}</a></li>)}</ul>
      </nav>
      {shown}
    </>
  )
}

const SAYS = { quiet: 'asking', open: 'live', cut: 'away, trying again', refused: 'no token' }

function Page(): JSX.Element {
  const [kind, golem, ...rest] = route.value
  const isGolem = kind === 'golem' && golem !== undefined
  const next = theme.value === '' ? 'dark' : theme.value === 'dark' ? 'light' : ''
  return (
    <>
      <a class="skip" href="#main" onClick={(event) => { event.preventDefault(); document.querySelector<HTMLElement>('main')?.querySelector<HTMLElement>('a, button, input, [tabindex]')?.focus() }}>to the page</a>
      <header class="top">
        <div class="in">
          <a class="mark" href="#/"><svg viewBox="0 0 15 18" aria-hidden="true"><path d="M7.5 0A6 6 0 0 0 1.5 6v12h12V6a6 6 0 0 0-6-6z" /></svg>Bardo</a>
          {isGolem && <span class="who"><Words>{golem}</Words>{news.value !== null && news.value.golem === golem && <span class="num"> · tick {news.value.tick.toLocaleString('en-US')}</span>}</span>}
          <div class="end">
            <span class={`dot ${line.value}`} role="status">{SAYS[line.value]}</span>
            <button type="button" class="icon" onClick={() => wear(next)} aria-label={`colours: ${theme.value === '' ? 'as the system' : theme.value}; change to ${next === '' ? 'as the system' : next}`}>{theme.value === '' ? '◐' : theme.value === 'dark' ? '●' : '○'}</button>
          </div>
        </div>
      </header>
      {line.value === 'refused' ? (
        <main id="main"><div class="head"><h1>This page has no token</h1></div><p class="empty">Open the address that <code>bardo web</code> printed; it ends with a token that only you were told. A server that was started anew has a new one.</p></main>
      ) : isGolem ? <Golem key={golem} golem={golem} rest={rest} /> : kind === 'new' ? <Raise /> : <Fleet />}
      <footer><a href="/assets/licences.txt">licences of what this page is built with</a></footer>
    </>
  )
}

takeToken()
if (theme.value !== '') wear(theme.value)
begin()
look()
const place = document.getElementById('page')
if (place !== null) render(<Page />, place)
