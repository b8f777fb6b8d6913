// A name in a sentence. Names come from outside and may hold characters that turn the direction of text (UAX #9), so that a
// number behind them would be read backwards. Elements of a page stand apart by the style (style/base.css).

const turns = /\p{Bidi_Control}/gu
const fromRight =
  /[\p{Bidi_Control}\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u
const [isolate, end] = ['\u2068', '\u2069']

export const apart = (name: string): string =>
  fromRight.test(name) ? `${isolate}${name.replaceAll(turns, '')}${end}` : name
