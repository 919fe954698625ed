package io.holdfast.example.spring;

/** A row of the query that joins the application's table with Holdfast's. */
record ListedOrder(PurchaseOrder order, String status, long revision, String snapshot) {}
