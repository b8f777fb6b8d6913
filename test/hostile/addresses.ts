// Addresses of 60 KB: parameters, escapes and slashes over and over.
import { head } from './fill.ts'
import type { Hostile } from './target.ts'

export const addresses: readonly Hostile[] = [
  { title: 'an address of &', send: (to) => to.put(head('&')) },
  { title: 'an address of & and =', send: (to) => to.put(head('&=')) },
  { title: 'an address of parameters', send: (to) => to.put(`compId=C&${head('a=1&')}`) },
  {
    title: 'an address of different parameters',
    send: (to) => to.put(`compId=C&time=5&${Array.from({ length: 8000 }, (_, n) => `a${n}`).join('=&')}`),
  },
  { title: 'an address of %', send: (to) => to.put(head('%')) },
  { title: 'an address of escapes', send: (to) => to.put(`compId=${head('%41')}`) },
  { title: 'an address of slashes', send: (to) => to.get(`/api/${head('/')}x`) },
  {
    title: 'an address of rsid',
    send: (to) => to.put(`compId=C&long=1&time=5&${Array.from({ length: 5000 }, () => 'rsid=long').join('&')}`),
  },
  {
    title: 'an address of different rsid',
    send: (to) => to.put(`compId=C&long=1&time=5&${Array.from({ length: 900 }, (_, n) => `rsid=r${n}`).join('&')}`),
  },
  { title: 'an address of empty values', send: (to) => to.put(`compId=C&text=${head(',')}&freq=1`) },
  { title: 'a long delimiter', send: (to) => to.put(`compId=C&text=${head('a')}&delim=aaaaaaab&freq=1`) },
  { title: 'a folder of slashes', send: (to) => to.put(`compId=F&a=1&folder=/Components${head('/a')}`) },
  { title: 'a search of a list', send: (to) => to.own('GET', `/api/component?text=${head('%25_')}`) },
  { title: 'credentials over and over', send: (to) => to.ask('GET', `/api/comp/C/feed?${head('session=x&')}`) },
]
