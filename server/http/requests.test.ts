import type { Request, RequestHandler, Response } from 'express';
import { expect, it, vi } from 'vitest';
import { inOrder } from './requests.ts';

/** Runs the handlers. @returns the function that follows them */
function run(...handlers: readonly RequestHandler[]) {
  const next = vi.fn();
  inOrder(...handlers)({} as Request, {} as Response, next);
  return next;
}

const pass: RequestHandler = (_request, _response, next) => next();

it('inOrder runs all handlers and then the next layer', () => {
  const second = vi.fn(pass);
  const next = run(pass, second, pass);
  expect(second).toHaveBeenCalledOnce();
  expect(next).toHaveBeenCalledExactlyOnceWith();
});

it('inOrder skips the handlers after one that responds', () => {
  const last = vi.fn();
  expect(run(pass, () => undefined, last)).not.toHaveBeenCalled();
  expect(last).not.toHaveBeenCalled();
});

it('inOrder passes the error of a handler on and skips the others', () => {
  const [last, error] = [vi.fn(), new Error('refused')];
  expect(run((_request, _response, next) => next(error), last)).toHaveBeenCalledExactlyOnceWith(error);
  expect(last).not.toHaveBeenCalled();
});
