package io.holdfast.example.spring;

final class NoSuchOrder extends RuntimeException {

    private static final long serialVersionUID = 1L;

    NoSuchOrder() {
        super("no such order");
    }
}
