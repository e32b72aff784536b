/** Editor theme with the page's colour variables, so that it follows light and dark mode. */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const floatingStyle = {
  border: '1px solid var(--line)',
  borderRadius: '0.5rem',
  background: 'var(--surface)',
  color: 'var(--text)',
  boxShadow: '0 4px 16px rgb(0 0 0 / 16%)',
};

const underline = (color: string) => ({
  backgroundImage: 'none',
  textDecoration: `underline wavy ${color} 1px`,
  textUnderlineOffset: '3px',
  textDecorationSkipInk: 'none',
});

const theme = EditorView.theme({
  // Excludes the container of the tooltips, which is outside the editor.
  '&.cm-editor': { height: '100%', background: 'var(--surface)', color: 'var(--text)', fontSize: '0.8125rem' },
  // An outline would lie below the line numbers.
  '&.cm-focused': { outline: 'none' },
  '&.cm-focused::after': {
    content: '""',
    position: 'absolute',
    zIndex: '300',
    inset: '0',
    border: '2px solid var(--accent)',
    pointerEvents: 'none',
  },
  // The whole editor shows the focus.
  '.cm-content:focus-visible': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.375rem', overflow: 'auto' },
  '.cm-content': { padding: '0.5rem 0', caretColor: 'var(--accent)' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--accent)', borderLeftWidth: '2px' },
  '.cm-gutters': { border: '0', background: 'var(--surface)', color: 'var(--muted)' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 0.5rem 0 0.25rem', minWidth: '2rem' },
  '.cm-activeLine, .cm-activeLineGutter': { background: 'color-mix(in srgb, var(--accent) 5%, transparent)' },
  '.cm-activeLineGutter': { color: 'var(--text)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'color-mix(in srgb, var(--accent) 24%, transparent)',
  },
  '.cm-selectionMatch': { background: 'color-mix(in srgb, var(--accent) 12%, transparent)' },
  '&.cm-focused .cm-matchingBracket': { background: 'var(--accent-soft)', outline: '1px solid var(--accent)' },
  '.cm-lintRange-error': underline('var(--failed)'),
  '.cm-lintRange-warning': underline('var(--attention)'),
  '.cm-lintRange-info': { backgroundImage: 'none', borderBottom: '1px dashed var(--gone)' },
  '.cm-gutter-lint': { width: '1rem' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '0 0.125rem' },
  '.cm-lint-marker': { width: '0.75rem', height: '0.75rem' },
  '.cm-lint-marker-error': { content: 'none', borderRadius: '2px', background: 'var(--failed)' },
  '.cm-lint-marker-warning': {
    content: 'none',
    background: 'var(--attention)',
    clipPath: 'polygon(50% 0, 100% 100%, 0 100%)',
  },
  '.cm-lint-marker-info': { content: 'none', border: '1.5px dashed var(--gone)', borderRadius: '50%' },
  '.cm-tooltip': floatingStyle,
  '.cm-tooltip.cm-tooltip-hover': { maxWidth: '32rem', padding: '0' },
  '.cm-diagnostic': { padding: '0.375rem 0.75rem', fontFamily: 'inherit' },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--failed)' },
  '.cm-diagnostic-warning': { borderLeft: '3px solid var(--attention)' },
  '.cm-diagnostic-info': { borderLeft: '3px solid var(--gone)' },
  // In a low window the editor limits the box to the available height, and the list shrinks with it.
  '.cm-tooltip.cm-tooltip-autocomplete': { display: 'flex', flexDirection: 'column' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    flex: '0 1 auto',
    minHeight: '0',
    fontFamily: 'var(--mono)',
    maxHeight: '16rem',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '0.25rem 0.625rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    background: 'var(--accent-soft)',
    color: 'var(--text)',
  },
  '.cm-completionMatchedText': { color: 'var(--accent)', fontWeight: '600', textDecoration: 'none' },
  '.cm-completionDetail': { color: 'var(--muted)', fontStyle: 'normal', marginLeft: '0.75rem' },
  '.cm-tooltip.cm-completionInfo': { padding: '0.5rem 0.75rem', maxWidth: '20rem' },
  '.cm-panels': { background: 'var(--background)', color: 'var(--text)', borderColor: 'var(--line)' },
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--line)' },
  '.cm-textfield': {
    border: '1px solid var(--muted)',
    borderRadius: '0.25rem',
    background: 'var(--surface)',
    color: 'var(--text)',
  },
  '.cm-button': {
    border: '1px solid var(--line)',
    borderRadius: '0.25rem',
    background: 'var(--surface)',
    backgroundImage: 'none',
    color: 'var(--text)',
  },
});

/** Colours are reserved for states: here they only distinguish keys, and mute comments. */
const highlighting = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: tags.comment, color: 'var(--muted)', fontStyle: 'italic' },
  { tag: [tags.separator, tags.punctuation, tags.squareBracket, tags.brace], color: 'var(--muted)' },
  { tag: [tags.labelName, tags.typeName, tags.meta], color: 'var(--muted)' },
  { tag: tags.invalid, color: 'var(--failed)' },
]);

export const editorTheme = [theme, syntaxHighlighting(highlighting)];
